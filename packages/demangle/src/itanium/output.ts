/** Thrown if a name is mangled incorrectly or takes too much space. */
export class DemangleError extends Error {}

/** Capturing a stack trace costs more than parsing, so all failures share one instance. */
export const DAMAGED = new DemangleError('The name is damaged or too long.')

const MAX_TEXT = 32 * 1024
const MAX_STEPS = 400_000
/** Value of `packIndex` while no parameter pack is being expanded. */
export const NO_PACK = -1

export class Output {
  text = ''
  /** Position of the pack element that is being printed. `packSize` is the number of elements. */
  packIndex = NO_PACK
  packSize = NO_PACK
  /** Number of parentheses opened since the last template argument list. Inside parentheses, `>` needs no parentheses of its own. */
  openBrackets = 1
  #steps = 0

  add(text: string): void {
    this.text += text
    // Template names can take exponential space, and empty packs exponential time.
    if (this.text.length > MAX_TEXT || ++this.#steps > MAX_STEPS) throw DAMAGED
  }

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
