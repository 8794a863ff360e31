/** What is thrown where a name is not mangled as it should be, or takes too much room. */
export class DemangleError extends Error {}

/** One for all: to find where it is thrown costs more than all the reading. */
export const DAMAGED = new DemangleError('The name is damaged or takes too much room.')

const MAX_TEXT = 32 * 1024
const MAX_STEPS = 400_000
/** No parameter pack is being expanded. */
export const NO_PACK = -1

/** The name as it is put together, and what decides how its parts are printed. */
export class Output {
  text = ''
  /** Which element of the packs is printed, and how many they have. */
  packIndex = NO_PACK
  packSize = NO_PACK
  /** Brackets open since the last template argument list: in them `>` needs no brackets of its own. */
  openBrackets = 1
  #steps = 0

  add(text: string): void {
    this.text += text
    // Template names can take exponential room, and empty packs exponential time.
    if (this.text.length > MAX_TEXT || ++this.#steps > MAX_STEPS) throw DAMAGED
  }

  /** Prints between brackets. */
  enclosed(open: string, print: () => void, close: string): void {
    this.add(open)
    this.openBrackets++
    print()
    this.openBrackets--
    this.add(close)
  }

  angled(print: () => void): void {
    const outer = this.openBrackets
    this.openBrackets = 0
    this.add('<')
    print()
    this.add('>')
    this.openBrackets = outer
  }

  step(): void {
    if (++this.#steps > MAX_STEPS) throw DAMAGED
  }
}
