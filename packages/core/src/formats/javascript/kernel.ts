import { BATCH, SEGMENT } from '../source-map/kernel.ts'
import { type CompiledModule, compileModule, instantiate } from '../web-assembly.ts'
import { WASM } from './kernel.wasm.ts'
import { WORDS } from './words.ts'

/** What the compiled module has. Source: assembly/javascript.ts. Addresses are bytes of its memory. */
interface Exports {
  memory: { buffer: ArrayBuffer }
  textAddress(): number
  codeAddress(): number
  segmentsAddress(): number
  tallyAddress(): number
  placesAddress(): number
  textsAddress(): number
  tokenAddress(): number
  addWord(at: number, length: number, kinds: number): void
  blankLiterals(from: number, end: number, to: number, isInTemplate: boolean): void
  tokenAt(from: number, end: number, at: number): number
  isComment(length: number): number
  findPlaces(length: number, first: number, count: number, start: number, countsLetters: boolean): number
}

/** What the module asks of whoever runs it. Indexes are those of the text in its memory. */
export interface Judge {
  /** Whether code at an index, behind a mapping at another, is a bundler's or compiler's helper. */
  isByHelper(mapping: number, place: number): boolean
  /** Whether a helper's error is made at an index. */
  isHelpersError(place: number): boolean
  /** Texts in a stretch, at most {@link MAX_TEXTS}. @returns how many are in {@link JavaScriptKernel.texts}: of each its index, and the bytes of its word. */
  textsIn(begin: number, end: number): number
}

/** Bytes of a text. */
export const MAX_TEXT = 1024 * 1024
export const MAX_TEXTS = 16
/** Numbers of a place: its segment, counted from the run's first; its index in the text; what it is; the index of its word, and the word's bytes. */
export const PLACE = 5
const MAX_PLACES = 2048

/** What is done with every byte of a script, compiled from AssemblyScript; with the memory it works in, of which each thread has one. */
export class JavaScriptKernel {
  readonly run: Omit<Exports, 'memory'>
  /** A text, each byte a character; and the same without literals. */
  readonly text: Buffer
  readonly code: Buffer
  /** Those of a batch, as they are decoded from a map. */
  readonly segments: Int32Array
  /** Of a run's source six numbers: places from earlier runs, that are kept at most, stride, how many to pass over; and after the run its letters, and how often every second place was dropped. */
  readonly tally: Int32Array
  readonly places: Int32Array
  readonly texts: Int32Array
  /** Address and bytes of the last token's word. */
  readonly token: Uint32Array
  judge: Judge | undefined

  constructor(module: CompiledModule) {
    // By the name of the file that calls them.
    const places = {
      isByHelper: (mapping: number, place: number) => this.judge?.isByHelper(mapping, place) ?? false,
      isHelpersError: (place: number) => this.judge?.isHelpersError(place) ?? false,
      textsIn: (begin: number, end: number) => this.judge?.textsIn(begin, end) ?? 0,
    }
    const run = instantiate<Exports>(module, { places })
    const { buffer } = run.memory
    this.run = run
    this.text = Buffer.from(buffer, run.textAddress(), MAX_TEXT)
    this.code = Buffer.from(buffer, run.codeAddress(), MAX_TEXT)
    this.segments = new Int32Array(buffer, run.segmentsAddress(), BATCH * SEGMENT)
    this.tally = new Int32Array(buffer, run.tallyAddress(), 6)
    this.places = new Int32Array(buffer, run.placesAddress(), MAX_PLACES * PLACE)
    this.texts = new Int32Array(buffer, run.textsAddress(), 2 * MAX_TEXTS)
    this.token = new Uint32Array(buffer, run.tokenAddress(), 2)
    for (const [nth, words] of WORDS.entries())
      for (const word of words) run.addWord(this.text.byteOffset, this.text.write(word, 'latin1'), 1 << nth)
  }
}

let made: JavaScriptKernel | undefined

/** Made when first asked for. */
export function javaScriptKernel(): JavaScriptKernel {
  made ??= new JavaScriptKernel(compileModule(WASM))
  return made
}
