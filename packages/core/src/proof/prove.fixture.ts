import { MemoryBytes } from '../formats/source-map/bytes.ts'
import { encodedMap, TraceMap } from '../formats/source-map/trace-mapping.fixture.ts'
import { proveScript, type ScriptProof } from './prove-script.ts'
import { ScriptFile } from './script-file.ts'

const bytesOf = (text: string) => new MemoryBytes(Buffer.from(text))

export const scriptOf = (text: string) => new ScriptFile(bytesOf(text))

/** One list per line: `[column]`, or `[column, source, original line, original column]`. */
export type Segments = number[][][]

interface GivenMap {
  [field: string]: unknown
  mappings: string | readonly (readonly (readonly number[])[])[]
}

/** Checks a script with a map, given as text or with decoded mappings. */
export function proofOf(script: string, map: string | GivenMap, file = 'a.js'): ScriptProof {
  return proveScript(file, bytesOf(script), bytesOf(typeof map === 'string' ? map : textOf(map)))
}

const textOf = (map: GivenMap) =>
  JSON.stringify(typeof map.mappings === 'string' ? map : encodedMap(new TraceMap({ names: [], ...map } as never)))

/** The codes of the problems, without infos. */
export const codesOf = ({ problems }: Pick<ScriptProof, 'problems'>) =>
  problems.filter(({ severity }) => severity !== 'info').map(({ code }) => code)
