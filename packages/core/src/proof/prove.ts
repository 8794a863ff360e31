import { eventLoopYielder } from '../event-loop.ts'
import { shownPath } from '../files/shown-path.ts'
import { type ByteSource, FileBytes, MemoryBytes } from '../formats/source-map/bytes.ts'
import type { FilePart, SymbolUpload } from '../model/plan.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { type OwnProof, proveScript } from './prove-script.ts'

export interface ProofOptions {
  /** Files in problems are named relative to it. Default: the working directory. */
  cwd?: string
}

/** Whether the positions of a plan's scripts lead to their originals, tried before anything is sent. */
export interface Proof {
  /** Sample positions, and how many of them lead to the original code. */
  positions: number
  resolved: number
  /** Scripts that were tried. */
  files: number
  /** The same of the app's own sources in all scripts. */
  own: OwnProof
  problems: Problem[]
  /** Sources that the map of each tried upload names. */
  sources: Map<SymbolUpload, readonly string[]>
  /** Positions of each tried upload. */
  byUpload: Map<SymbolUpload, { positions: number; resolved: number }>
  /** Uploads whose files cannot be used: an error among the problems says why. */
  unusable: Set<SymbolUpload>
}

/**
 * Resolves sample positions (throw sites, calls, function starts, ends of long lines; at most 200 a file) through the bytes that are about
 * to be sent and compares them with the sources in the maps. Files are read by windows, so memory does not grow with them; it takes less than 1 s of CPU for 100 MB of maps.
 */
export async function prove(uploads: readonly SymbolUpload[], options: ProofOptions = {}): Promise<Proof> {
  const { cwd = process.cwd() } = options
  const proof: Proof = {
    positions: 0,
    resolved: 0,
    files: 0,
    own: { places: 0, resolved: 0, sources: [], wrong: new Map() },
    problems: [],
    sources: new Map(),
    byUpload: new Map(),
    unusable: new Set(),
  }
  const memories = { script: FileBytes.memory(), map: FileBytes.memory() }
  const yieldToEventLoop = eventLoopYielder()
  for (const upload of uploads) {
    const pair = pairOf(upload)
    if (!pair) continue
    await yieldToEventLoop()
    const file = shownPath(pair.script.path, cwd)
    try {
      const found = withBytes(pair.script, memories.script, (script) =>
        withBytes(pair.map, memories.map, (map) => proveScript(file, script, map)),
      )
      const { positions, resolved, sources, own, problems } = found
      proof.files++
      proof.positions += positions
      proof.resolved += resolved
      add(proof.own, own)
      proof.problems.push(...problems)
      if (problems.some(({ severity }) => severity === 'error')) proof.unusable.add(upload)
      proof.sources.set(upload, sources)
      proof.byUpload.set(upload, { positions, resolved })
    } catch (error) {
      const why = (error as NodeJS.ErrnoException).code ?? (error as Error).message
      proof.problems.push(problem('file-unreadable', `It could not be read (${why}).`, { file }))
      proof.unusable.add(upload)
    }
  }
  return proof
}

function add(sum: OwnProof, { places, resolved, sources, wrong }: OwnProof): void {
  sum.places += places
  sum.resolved += resolved
  sum.sources = [...new Set([...sum.sources, ...sources])]
  for (const [source, why] of wrong) sum.wrong.set(source, why)
}

function pairOf({ event, parts }: SymbolUpload): { map: FilePart; script: FilePart } | undefined {
  const map = parts.find(({ name }) => name === 'source_map')
  const script = parts.find(({ name }) => name === 'minified_file')
  return event.type === 'js_sourcemap' && map && script ? { map, script } : undefined
}

/** @throws the file system's error. */
function withBytes<T>({ content, path }: FilePart, memory: Buffer, run: (bytes: ByteSource) => T): T {
  if (content) return run(new MemoryBytes(content))
  const file = new FileBytes(path, memory)
  try {
    return run(file)
  } finally {
    file.close()
  }
}
