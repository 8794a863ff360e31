import { type CompiledModule, compileModule, instantiate } from '../web-assembly.ts'
import { WASM } from './kernel.wasm.ts'

/** What the compiled module has. Source: assembly/source-map.ts. Addresses are bytes of its memory. */
interface Exports {
  memory: { buffer: ArrayBuffer }
  inputAddress(): number
  windowAddress(): number
  resultsAddress(): number
  segmentsAddress(): number
  stateAddress(): number
  positionsAddress(): number
  wordsAddress(): number
  startsAddress(): number
  endsAddress(): number
  skipsAddress(): number
  findCandidate(from: number, end: number): number
  decodeSegments(from: number, end: number): number
  stringEnd(from: number, end: number): number
  checkString(from: number, end: number, state: number): number
  passTexts(from: number, end: number, shift: number, isStrict: boolean): number
  passLines(from: number, end: number, isLast: boolean, lines: number): number
  passColumns(from: number, end: number, isLast: boolean, columns: number): number
  findWords(from: number, end: number, count: number): void
}

/** Segments of a batch. */
export const BATCH = 1024
/** Numbers of one segment, in their order: generated line, generated column, source, original line, original column, name. All 0-based; source and name -1 for none. */
export const SEGMENT = 6
/** Numbers of where decoding stands. */
const STATE = 21
/** Texts that are passed at once. */
const MAX_TEXTS = 1024
/** Positions that are looked for at once, and bytes of the words that must stand there. */
export const MAX_POSITIONS = 512
export const WORDS_BYTES = 16 * 1024
/** Numbers of a position: its line and column, the index of its word among {@link Kernel.words}, and the word's bytes. */
export const POSITION = 4
/** Bytes that are copied at once; they stay in a processor's cache. */
const INPUT_BYTES = 64 * 1024
/** What a load of sixteen bytes may read behind a text. */
const BEHIND = 16

/** What is done with every byte of a map, compiled from AssemblyScript; with the memory it works in, of which each thread has one. */
export class Kernel {
  readonly run: Omit<Exports, 'memory'>
  /** What a function finds out beside what it returns. */
  readonly results: Int32Array
  /** The segments of a batch, and where its runs begin. */
  readonly segments: Int32Array
  readonly state: Int32Array
  /** How far a search moves on behind each two bytes. */
  readonly skips: Uint16Array
  /** Of each position {@link POSITION} numbers. */
  readonly positions: Uint32Array
  readonly words: Uint8Array
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  /** For files: what is read into it need not be copied. */
  readonly window: Buffer
  readonly #memory: ArrayBuffer
  readonly #all: Buffer
  readonly #input: Buffer

  constructor(module: CompiledModule) {
    const run = instantiate<Exports>(module)
    const { buffer } = run.memory
    this.run = run
    this.#memory = buffer
    this.#all = Buffer.from(buffer)
    this.#input = Buffer.from(buffer, run.inputAddress(), INPUT_BYTES)
    this.results = new Int32Array(buffer, run.resultsAddress(), 2)
    this.segments = new Int32Array(buffer, run.segmentsAddress(), BATCH * SEGMENT + BATCH + 1)
    this.state = new Int32Array(buffer, run.stateAddress(), STATE)
    this.skips = new Uint16Array(buffer, run.skipsAddress(), 2 ** 16)
    this.positions = new Uint32Array(buffer, run.positionsAddress(), POSITION * MAX_POSITIONS)
    this.words = new Uint8Array(buffer, run.wordsAddress(), WORDS_BYTES)
    this.starts = new Uint32Array(buffer, run.startsAddress(), MAX_TEXTS)
    this.ends = new Uint32Array(buffer, run.endsAddress(), MAX_TEXTS)
    const window = run.windowAddress()
    this.window = Buffer.from(buffer, window, buffer.byteLength - BEHIND - window)
  }

  holds(bytes: Buffer): boolean {
    return bytes.buffer === this.#memory
  }

  /** What stands between two addresses, each byte a character. */
  latin1(from: number, to: number): string {
    return this.#all.toString('latin1', from, to)
  }

  /** Bytes in the kernel's memory: those themselves, or from an index on as many as there is room for, in a copy that is valid until the next one. */
  within(bytes: Buffer, from = 0): Buffer {
    if (this.holds(bytes)) return bytes
    const copied = this.#input.subarray(0, Math.min(INPUT_BYTES, bytes.length - from))
    bytes.copy(copied, 0, from)
    return copied
  }
}

let made: Kernel | undefined

/** Made when first asked for. */
export function kernel(): Kernel {
  made ??= new Kernel(compileModule(WASM))
  return made
}
