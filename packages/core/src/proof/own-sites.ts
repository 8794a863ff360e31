import { type Judge, javaScriptKernel, MAX_TEXTS } from '../formats/javascript/kernel.ts'
import { LONG } from './coverage.ts'
import { HELPER_AHEAD, HELPER_BYTES, helperAt, isHelpersError } from './helper-code.ts'

/** A text of which no serializer escapes the beginning. */
const TEXT = /["'`]([\w $:;,.=+*-]{10,16})/g
/** A list of texts, such as compilers make of the names in `{ a, b, ...rest }`. */
const LIST = /(?:\[|["'`],)\s*$/
/** The name of an export in the list that Turbopack writes of them, `e.s(["total",0,t])`, behind its quote: the source has it where it declares it. */
const EXPORTED = /^[\w$]+["'],0,/
/** No name is longer. */
const MAX_EXPORTED = 200
/** Characters behind a mapping's start from which a text has one of its own in a map that is not coarse. */
const MIN_BEHIND = 40

/** The text of a run as the kernel has it, and what it does not know of the code in it. One for all runs: a script that is not minified has one a line. */
export class RunText implements Judge {
  readonly #kernel = javaScriptKernel()
  #length = 0
  #text: string | undefined

  /** @param length bytes of the next run that are in the kernel. */
  begin(length: number): void {
    this.#length = length
    this.#text = undefined
  }

  /** Made when it is asked for: most lines of a script that is not minified need none. */
  get text(): string {
    this.#text ??= this.#kernel.text.toString('latin1', 0, this.#length)
    return this.#text
  }

  isByHelper(mapping: number, place: number): boolean {
    return isAtHelper(this.text, mapping, place)
  }

  isHelpersError(place: number): boolean {
    return isHelpersError(this.text, place)
  }

  /** Texts in a long stretch that one mapping leads to: they tell where its code comes from. A quote that stands in a text begins none. */
  textsIn(begin: number, end: number): number {
    const { text } = this
    const { code, texts } = this.#kernel
    let count = 0
    const stretch = text.slice(begin, end)
    for (const { 1: found, index } of stretch.matchAll(TEXT)) {
      const word = found as string
      const at = begin + index
      if (index < MIN_BEHIND || text[at - 1] === '\\' || isInList(text, at)) continue
      const behind = at + 1
      if (EXPORTED.test(text.slice(behind, behind + MAX_EXPORTED))) continue
      const isText = code[at] === text.charCodeAt(at)
      if (!isText || code.toString('latin1', behind, behind + word.length).trim() !== '') continue
      if (index > LONG && isAtHelper(stretch, 0, index)) continue
      texts[2 * count] = at
      texts[2 * count + 1] = word.length
      if (++count === MAX_TEXTS) break
    }
    return count
  }
}

/** Whether code behind a mapping is a bundler's or compiler's helper. */
function isAtHelper(text: string, mapping: number, place: number): boolean {
  return helperAt(text.slice(Math.max(mapping, place - HELPER_BYTES), place + HELPER_AHEAD)) !== -1
}

/** Whether the text that begins at an index is one of a list. */
export function isInList(text: string, index: number): boolean {
  return LIST.test(text.slice(Math.max(0, index - 4), index))
}
