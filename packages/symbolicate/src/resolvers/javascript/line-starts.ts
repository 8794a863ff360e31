import { NumberList } from './map-index/number-list.ts'

const [LINE_FEED, RETURN, LINE_SEPARATOR, PARAGRAPH_SEPARATOR] = [0x0a, 0x0d, 0x2028, 0x2029]

/**
 * Returns the offsets at which the lines of the text start. A loop over all characters is faster than searching for line terminators if
 * lines are short.
 * @param ends which line terminators to use: all of JavaScript's (ECMA-262, section 12.3), or only line feeds, as some map generators
 * assume.
 */
export function lineStartsIn(
  text: string,
  ends: 'language' | 'feeds' = 'language',
): { starts: Uint32Array; hasOther: boolean } {
  const starts = new NumberList()
  let hasOther = false
  starts.push(0)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === LINE_FEED) starts.push(at + 1)
    else if (code === RETURN || code === LINE_SEPARATOR || code === PARAGRAPH_SEPARATOR) {
      if (code === RETURN && text.charCodeAt(at + 1) === LINE_FEED) continue
      hasOther = true
      if (ends === 'language') starts.push(at + 1)
    }
  }
  return { starts: starts.done(), hasOther }
}
