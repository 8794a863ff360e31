const QUOTES = ['"', "'", '`']

/**
 * The quote of the string that a piece of minified code begins in, or ''. What follows is coloured by it: without it, strings and code would change
 * places. No mapping begins within a string, so the quote is right under which the fewest do.
 *
 * @param starts where mappings begin, as offsets in the piece, in order.
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

/** How many of the starts lie within strings, if the text begins in one with this quote. */
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
    // A mapping at what an escape covers is passed by.
    while ((starts[next] as number) <= at) next++
  }
  return count
}
