import { type Kind, type Node, node, type Test, unknown } from './node.ts'
import { decodePunycode } from './punycode.ts'

const MAX_WORDS = 26
const MAX_REPEATS = 2048
/** The maximum number of nodes. Real names have about a hundred nodes. */
const MAX_NODES = 20_000

/**
 * Reads a mangled name using a stack of parsed pieces. Operators pop and push pieces. Source: docs/ABI/Mangling.rst in the Swift
 * repository.
 */
export class Reader {
  readonly text: string
  at: number
  readonly #stack: Node[] = []
  readonly #substitutions: Node[] = []
  /** Words in earlier identifiers, to which later identifiers may refer. */
  readonly #words: string[] = []
  #pushed = 0

  constructor(text: string, at: number) {
    this.text = text
    this.at = at
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length
  }

  next(): string {
    return this.text[this.at++] ?? unknown()
  }

  peek(): string {
    return this.text[this.at] ?? ''
  }

  take(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  /** @returns undefined if no digit follows. */
  natural(): number | undefined {
    const start = this.at
    while (this.peek() >= '0' && this.peek() <= '9') this.at++
    if (this.at === start) return undefined
    const value = Number(this.text.slice(start, this.at))
    return value < 2 ** 31 ? value : unknown()
  }

  /** Reads an index: `_` is 0, `0_` is 1, and so on. */
  index(): number {
    if (this.take('_')) return 0
    const value = this.natural() ?? unknown()
    return this.take('_') ? value + 1 : unknown()
  }

  push(piece: Node): void {
    if (++this.#pushed > MAX_NODES) unknown()
    this.#stack.push(piece)
  }

  top(): Node | undefined {
    return this.#stack.at(-1)
  }

  rest(): Node[] {
    return this.#stack.splice(0)
  }

  popIf(wanted: Kind | Test): Node | undefined {
    const last = this.#stack.at(-1)
    if (last === undefined || !(typeof wanted === 'string' ? last.kind === wanted : wanted(last))) return undefined
    return this.#stack.pop()
  }

  pop(wanted: Kind | Test): Node {
    return this.popIf(wanted) ?? unknown()
  }

  popAny(): Node {
    return this.#stack.pop() ?? unknown()
  }

  /** Pops pieces from the top of the stack and returns them in the order in which they were pushed. */
  popAll(kind: Kind | Test): Node[] {
    const found: Node[] = []
    for (let last = this.popIf(kind); last; last = this.popIf(kind)) found.push(last)
    return found.reverse()
  }

  popTypeChild(): Node {
    return this.pop('Type').children[0] ?? unknown()
  }

  /**
   * Pops the pieces of a list and returns them in the order in which they were pushed. The first piece in a list is marked with `_`, and an
   * empty list is written as `y`.
   */
  popList(one: () => Node): Node[] {
    if (this.popIf('EmptyList')) return []
    return this.popMarked(one)
  }

  popMarked(one: () => Node): Node[] {
    const found: Node[] = []
    let isFirst: boolean
    do {
      isFirst = this.popIf('FirstElement') !== undefined
      found.push(one())
    } while (!isFirst)
    return found.reverse()
  }

  substitutable(piece: Node): Node {
    this.#substitutions.push(piece)
    return piece
  }

  substitution(): Node {
    let repeats: number | undefined
    const repeated = (index: number) => this.repeated(repeats, this.#substitutions[index] ?? unknown())
    for (;;) {
      const letter = this.next()
      if (letter >= 'a' && letter <= 'z') {
        this.push(repeated(letter.charCodeAt(0) - 97))
        repeats = undefined
      } else if (letter >= 'A' && letter <= 'Z') return repeated(letter.charCodeAt(0) - 65)
      else if (letter === '_') return this.#substitutions[repeats === undefined ? 26 : repeats + 27] ?? unknown()
      else {
        this.at--
        repeats = this.natural() ?? unknown()
      }
    }
  }

  /** Pushes all repetitions except the last one, and returns the last one. */
  repeated(count: number | undefined, piece: Node): Node {
    if (count !== undefined && count > MAX_REPEATS) unknown()
    for (let nth = 1; nth < (count ?? 1); nth++) this.push(piece)
    return piece
  }

  identifier(): Node {
    let hasWords = false
    if (this.take('0')) {
      if (this.take('0')) return this.substitutable(node('Identifier', [], decodePunycode(this.counted('_'))))
      hasWords = true
    }
    let name = ''
    do {
      while (hasWords && /^[a-zA-Z]$/.test(this.peek())) {
        const letter = this.next()
        name += this.#words[letter.toLowerCase().charCodeAt(0) - 97] ?? unknown()
        if (letter < 'a') hasWords = false
      }
      if (this.take('0')) break
      const piece = this.counted()
      name += piece
      this.#keepWords(piece)
    } while (hasWords)
    if (name === '') unknown()
    return this.substitutable(node('Identifier', [], name))
  }

  /** Reads text after its length. A C type in Clang's mangling is such text: it uses neither words nor substitutions. */
  counted(separator = ''): string {
    const length = this.natural() ?? unknown()
    this.take(separator)
    const piece = this.text.slice(this.at, this.at + length)
    if (piece.length < length || length === 0) unknown()
    this.at += length
    return piece
  }

  #keepWords(piece: string): void {
    for (const [word] of piece.matchAll(/[^\d_](?:(?<![^A-Z])[A-Z]|[^A-Z_])*/g)) {
      if (word.length >= 2 && this.#words.length < MAX_WORDS) this.#words.push(word)
    }
  }
}
