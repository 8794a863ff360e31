const QUOTES = ['"', "'", '`']

/**
 * The quote of the string in which a piece of minified code begins, or ''. Without it, strings and code would swap
 * colours. No mapping begins inside a string, so the right quote has the fewest mappings inside strings.
 * @param starts sorted offsets of mappings in the piece.
 */
export function openingQuote(text: string, starts: readonly number[]): string {
  let best = ''
  let fewest = countInStrings(text, starts, best)
  for (const quote of QUOTES) {
    const count = countInStrings(text, starts, quote)
    if (count < fewest) {
      best = quote
      fewest = count
    }
  }
  return best
}

/** The number of starts inside strings, if the text begins in a string with this quote. */
function countInStrings(text: string, starts: readonly number[], opening: string): number {
  let count = 0
  let next = 0
  let quote = opening
  for (let at = 0; at < text.length && next < starts.length; at++) {
    for (; starts[next] === at; next++) if (quote !== '') count++
    const character = text[at] as string
    if (quote === '') quote = QUOTES.includes(character) ? character : ''
    else if (character === '\\') at++
    else if (character === quote) quote = ''
    // Skip mappings at escaped characters.
    while ((starts[next] as number) <= at) next++
  }
  return count
}
