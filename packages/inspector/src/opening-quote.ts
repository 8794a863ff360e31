const QUOTES = ['"', "'", '`']

/**
 * Minified code may be cut in the middle of a string. Without the opening quote, strings and code would swap colors. No mapping begins
 * inside a string, so the right quote has the fewest mappings inside strings.
 * @param starts sorted offsets of mappings in the text.
 * @returns an empty string if the text does not begin in a string.
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

/** @param opening quote of the string that the text is assumed to begin in. */
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
    // Mappings at escaped characters are skipped.
    while ((starts[next] as number) <= at) next++
  }
  return count
}
