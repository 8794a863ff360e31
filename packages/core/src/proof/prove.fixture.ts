import { type ByteSource, MemoryBytes } from '../formats/source-map/bytes.ts'
import { encodedMap, TraceMap } from '../formats/source-map/trace-mapping.fixture.ts'
import { proveScript, type ScriptProof } from './prove-script.ts'
import { ScriptFile } from './script-file.ts'

/** The bytes of a large file. Each call overwrites the result of the previous call, as the contract of {@link ByteSource} allows. */
class ShortLivedBytes implements ByteSource {
  readonly size: number
  readonly #all: MemoryBytes
  #last = Buffer.alloc(0)

  constructor(text: string) {
    this.#all = new MemoryBytes(Buffer.from(text))
    this.size = this.#all.size
  }

  read(offset: number, length: number): Buffer {
    this.#last.fill('!')
    this.#last = Buffer.from(this.#all.read(offset, length))
    return this.#last
  }
}

const bytesOf = (text: string) => new ShortLivedBytes(text)

export const scriptOf = (text: string) => new ScriptFile(Buffer.from(text))

/** One list per line: `[column]`, or `[column, source, original line, original column]`. */
export type Segments = number[][][]

interface GivenMap {
  [field: string]: unknown
  mappings: string | readonly (readonly (readonly number[])[])[]
}

/** Checks a script with a map, given as text or as decoded mappings. */
export function proofOf(script: string, map: string | GivenMap, file = 'a.js'): ScriptProof {
  return proveScript(file, Buffer.from(script), bytesOf(typeof map === 'string' ? map : textOf(map)))
}

const textOf = (map: GivenMap) =>
  JSON.stringify(typeof map.mappings === 'string' ? map : encodedMap(new TraceMap({ names: [], ...map } as never)))

/** The problem codes that are not infos. */
export const codesOf = ({ problems }: Pick<ScriptProof, 'problems'>) =>
  problems.filter(({ severity }) => severity !== 'info').map(({ code }) => code)
