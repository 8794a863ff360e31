import { NumberList } from './map-index/number-list.ts'

const [LINE_FEED, RETURN, LINE_SEPARATOR, PARAGRAPH_SEPARATOR] = [0x0a, 0x0d, 0x2028, 0x2029]

/**
 * Returns the offsets at which the lines of the text start. Every character is checked, because searching for line terminators is slower if
 * lines are short.
 * @param ends whether lines end at all line terminators of JavaScript (ECMA-262, section 12.3), which is the default, or only at line
 * feeds, as some map generators assume.
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
