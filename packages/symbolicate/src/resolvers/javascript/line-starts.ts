import { NumberList } from './map-index/number-list.ts'

const [LINE_FEED, RETURN, LINE_SEPARATOR, PARAGRAPH_SEPARATOR] = [0x0a, 0x0d, 0x2028, 0x2029]

/**
 * Where the lines of a text begin. Character by character: to search for each end takes longer where lines are short.
 * @param ends of JavaScript (ECMA-262, 12.3), or line feeds alone, as some generators of maps count. Default: JavaScript's.
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
