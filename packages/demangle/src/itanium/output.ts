/** Thrown if a mangled name is invalid or its output would be too large. */
export class DemangleError extends Error {}

/** The error is created once and reused, because capturing its stack trace takes longer than parsing a name. */
export const DAMAGED = new DemangleError('The name is damaged or too long.')

const MAX_TEXT = 32 * 1024
const MAX_STEPS = 400_000
export const NO_PACK = -1

export class Output {
  text = ''
  packIndex = NO_PACK
  packSize = NO_PACK
  /** Number of open parentheses in the innermost template argument list. A `>` inside parentheses needs no additional parentheses. */
  openBrackets = 1
  #steps = 0

  add(text: string): void {
    this.text += text
    // Template names can expand exponentially, and empty packs can take exponential time.
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
