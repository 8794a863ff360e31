import { isAscii } from 'node:buffer'
import { closeSync, fstatSync, openSync } from 'node:fs'
import { turnTaker } from '../event-loop.ts'
import type { FilePart, SymbolUpload } from '../plan.ts'
import { type Problem, problem } from '../problems.ts'
import { readInto } from '../read-at.ts'
import type { Line } from '../render.ts'
import { shownPath } from '../shown-path.ts'
import { proveScript } from './prove-script.ts'

export interface ProofOptions {
  /** Files in problems are named relative to it. Default: the working directory. */
  cwd?: string
  /** Milliseconds after which the files that are left are not proven. Default 2000. */
  timeBudget?: number
  /** Files with a larger map are not proven. Default 32 MiB. */
  largestMap?: number
}

/** Whether the positions of a plan's scripts lead to their originals, tried before anything is sent. */
export interface Proof {
  /** Sample positions, and how many of them lead to the original code. */
  positions: number
  resolved: number
  /** Scripts that were tried. */
  files: number
  problems: Problem[]
  /** Sources that the map of each tried upload names. */
  sources: Map<SymbolUpload, readonly string[]>
  /** Positions of each tried upload. */
  byUpload: Map<SymbolUpload, { positions: number; resolved: number }>
}

const DEFAULT_BUDGET_MS = 2000
const DEFAULT_LARGEST_MAP = 32 * 1024 * 1024

/**
 * Resolves sample positions (throw sites, calls, function starts, ends of long lines; at most 200 a file) through the bytes that are about
 * to be sent and compares them with the sources in the maps. One file is in memory at a time; the cost is bounded by the samples, the
 * size of the largest map and the time budget, and what was left out is said.
 */
export async function prove(uploads: readonly SymbolUpload[], options: ProofOptions = {}): Promise<Proof> {
  const { cwd = process.cwd(), timeBudget = DEFAULT_BUDGET_MS, largestMap = DEFAULT_LARGEST_MAP } = options
  const proof: Proof = { positions: 0, resolved: 0, files: 0, problems: [], sources: new Map(), byUpload: new Map() }
  const reader = new TextReader()
  const started = performance.now()
  const takeTurn = turnTaker()
  const pairs = uploads.flatMap((upload) => pairOf(upload) ?? [])
  for (const [index, { upload, map, script }] of pairs.entries()) {
    const file = shownPath(script.path, cwd)
    await takeTurn()
    if (performance.now() - started > timeBudget) {
      const message = `The proof took longer than ${timeBudget / 1000} s: ${index} of ${pairs.length} files were proven.`
      proof.problems.push(problem('proof-incomplete', message))
      break
    }
    if (map.bytes > largestMap || script.bytes > largestMap) {
      const megabytes = Math.round(largestMap / 1024 / 1024)
      proof.problems.push(problem('proof-incomplete', `It is not proven: larger than ${megabytes} MiB.`, { file }))
      continue
    }
    try {
      const { positions, resolved, sources, problems } = proveScript(file, reader.read(script), reader.read(map))
      proof.files++
      proof.positions += positions
      proof.resolved += resolved
      proof.problems.push(...problems)
      proof.sources.set(upload, sources)
      proof.byUpload.set(upload, { positions, resolved })
    } catch (error) {
      const why = (error as NodeJS.ErrnoException).code ?? (error as Error).message
      proof.problems.push(problem('file-unreadable', `It could not be read (${why}).`, { file }))
    }
  }
  return proof
}

/** The one line that says it: `214/214 positions resolve (12 files).` */
export function renderProof({ positions, resolved, files }: Proof): Line[] {
  if (files === 0) return []
  const text = `${resolved}/${positions} positions resolve (${files} file${files === 1 ? '' : 's'}).`
  return [{ severity: resolved === positions ? 'good' : 'warning', text }]
}

function pairOf(upload: SymbolUpload): { upload: SymbolUpload; map: FilePart; script: FilePart } | undefined {
  const map = upload.parts.find(({ name }) => name === 'source_map')
  const script = upload.parts.find(({ name }) => name === 'minified_file')
  return upload.event.type === 'js_sourcemap' && map && script ? { upload, map, script } : undefined
}

/**
 * Reads one file after another into the same memory, which the system need not find and clear anew for each: that is most of the cost of
 * reading. Synchronous: what a build has just written is in the page cache, from where a copy is quicker than the way to another thread.
 */
class TextReader {
  #memory = Buffer.allocUnsafeSlow(1024 * 1024)

  /** @throws the file system's error. */
  read({ content, path }: FilePart): string {
    const bytes = content ? Buffer.from(content.buffer, content.byteOffset, content.length) : this.#readFile(path)
    // Twice as fast, and most files are.
    return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8')
  }

  #readFile(path: string): Buffer {
    const file = openSync(path, 'r')
    try {
      const { size } = fstatSync(file)
      if (size > this.#memory.length) this.#memory = Buffer.allocUnsafeSlow(2 * size)
      return this.#memory.subarray(0, readInto(file, this.#memory.subarray(0, size), 0))
    } finally {
      closeSync(file)
    }
  }
}
