import { eventLoopYielder } from '../event-loop.ts'
import { readRegular } from '../files/open-regular.ts'
import { shownPath } from '../files/shown-path.ts'
import { type ByteSource, MemoryBytes, withFileBytes } from '../formats/source-map/bytes.ts'
import type { FilePart, SymbolUpload } from '../model/plan.ts'
import type { Problem } from '../problems/problems.ts'
import { unreadable } from '../problems/unreadable.ts'
import { withFaults } from './blame.ts'
import { addSource, type OwnProof } from './own-proof.ts'
import { proveScript, type ScriptProof } from './prove-script.ts'
import { isMostlyRight } from './source-counts.ts'
import { shownSource } from './sources.ts'
import { ADDRESS, type TransformFaults } from './transform-faults.ts'

export interface ProofOptions {
  /** Returns the transforms that lost maps, as recorded by the bundler. The function is called for each script, and once at the end. */
  faults?: (() => TransformFaults | undefined) | undefined
  /**
   * The base for file names in problem messages.
   * @default the working directory
   */
  cwd?: string
}

export interface ComparedFiles {
  script: FilePart
  map: FilePart
}

export interface ProverOptions extends ProofOptions {
  /**
   * Returns the files to compare for an artifact, or undefined if the artifact is not checked.
   * @param parts the parts of the artifact, with their content if they are in memory.
   */
  filesOf(upload: SymbolUpload, parts: readonly FilePart[]): ComparedFiles | undefined
}

/** The result of the check before the upload, which tests whether positions in the scripts resolve to the original code. */
export interface Proof {
  /** The number of sampled positions, and how many of them resolve to the original code. */
  positions: number
  resolved: number
  files: number
  /** The number of checked scripts whose positions cannot be compared, because the map does not contain the text of the sources. */
  textlessFiles: number
  /** The checked scripts whose entire map is wrong. Their sources are not reported individually. */
  misfits: string[]
  /** The wrong positions (`file:line:column`, one-based) in scripts that contain only libraries. */
  failed: string[]
  own: OwnProof
  problems: Problem[]
  /** The positions in each checked upload. */
  byUpload: Map<SymbolUpload, { positions: number; resolved: number }>
  /** Uploads with unusable files. `problems` contains an error for each of them. */
  unusable: Set<SymbolUpload>
}

export async function proveAll(uploads: readonly SymbolUpload[], options: ProverOptions): Promise<Proof> {
  const prover = new Prover(options)
  const yieldToEventLoop = eventLoopYielder()
  for (const upload of uploads) {
    await yieldToEventLoop()
    prover.prove(upload)
  }
  return prover.proof(uploads)
}

/** Checks artifacts one at a time, in any order. Only the required source names stay in memory, because an app may have 2,000 maps. */
export class Prover {
  readonly #cwd: string
  readonly #faults: ProofOptions['faults']
  readonly #filesOf: ProverOptions['filesOf']
  readonly #found = new Map<SymbolUpload, Omit<Found, 'sources'>>()
  /** The displayed names of the sources in all maps, which are needed to find faults. */
  readonly #named = new Set<string>()

  constructor({ cwd = process.cwd(), faults, filesOf }: ProverOptions) {
    this.#cwd = cwd
    this.#filesOf = filesOf
    this.#faults = faults
  }

  /**
   * @param parts the files of the artifact, with their content if they are in memory.
   * @returns the source names in the map and whether the map is usable, or undefined if artifacts of this kind are not checked.
   */
  prove(upload: SymbolUpload, parts: readonly FilePart[] = upload.parts): Found | undefined {
    const pair = this.#filesOf(upload, parts)
    if (!pair) return undefined
    const file = shownPath(pair.script.path, this.#cwd)
    const disk = { cwd: this.#cwd, script: pair.script.path, map: pair.map.path }
    const known = { faults: this.#faults?.(), disk }
    let found: Found
    try {
      const script = pair.script.content ?? readRegular(pair.script.path)
      const proof = withBytes(pair.map, (map) => proveScript(file, script, map, known))
      found = { ...proof, file, isUsable: proof.problems.every(({ severity }) => severity !== 'error') }
    } catch (error) {
      found = { file, isUsable: false, problems: [unreadable('file-unreadable', error, { file })] }
    }
    const { sources = [], ...kept } = found
    this.#found.set(upload, kept)
    if (this.#faults) for (const source of sources) this.#named.add(ADDRESS.test(source) ? source : shownSource(source))
    return found
  }

  proof(uploads: readonly SymbolUpload[]): Proof {
    const proof: Proof = {
      positions: 0,
      resolved: 0,
      files: 0,
      textlessFiles: 0,
      misfits: [],
      failed: [],
      own: { sources: new Map(), unmapped: 0 },
      problems: [],
      byUpload: new Map(),
      unusable: new Set(),
    }
    for (const upload of uploads) {
      const found = this.#found.get(upload)
      if (!found) continue
      proof.problems.push(...found.problems)
      if (!found.isUsable) proof.unusable.add(upload)
      const { positions, resolved, own, hasText, failed = [] } = found
      if (positions === undefined || resolved === undefined) continue
      proof.files++
      if (hasText === false) proof.textlessFiles++
      proof.misfits.push(...misfitsIn(found))
      proof.failed.push(...failed.map((position) => `${found.file}:${position}`))
      proof.positions += positions
      proof.resolved += resolved
      if (own) add(proof.own, own)
      proof.byUpload.set(upload, { positions, resolved })
    }
    const areAllTried = uploads.every((upload) => this.#found.has(upload) || !this.#filesOf(upload, upload.parts))
    const context = { named: areAllTried ? this.#named : undefined, cwd: this.#cwd }
    const { own, problems } = withFaults(proof.own, this.#faults?.(), context)
    return { ...proof, own, problems: [...proof.problems, ...problems] }
  }
}

/** The result for one artifact. If the artifact could not be read, `positions` is missing. */
interface Found extends Partial<ScriptProof> {
  /** The displayed name of the script. */
  file: string
  problems: Problem[]
  isUsable: boolean
}

const MISFIT: ReadonlySet<string> = new Set(['map-stale', 'map-offset', 'map-invalid'])

/** Returns the scripts whose entire map is wrong. The list is empty if individual sources are reported instead. */
function misfitsIn({ problems, own }: Omit<Found, 'sources'>): string[] {
  const sources = [...(own?.sources.values() ?? [])]
  if (own && (own.unmapped > 0 || sources.some(({ wrong }) => wrong !== undefined))) return []
  if (sources.some(isMostlyRight)) return []
  return problems.flatMap(({ code, file }) => (MISFIT.has(code) && file !== undefined ? [file] : []))
}

function add(sum: OwnProof, { sources, unmapped }: OwnProof): void {
  for (const [name, found] of sources) addSource(sum.sources, name, found)
  sum.unmapped += unmapped
}

/** @throws the file system's error if the file cannot be read. */
function withBytes<T>({ content, path }: FilePart, run: (bytes: ByteSource) => T): T {
  if (content) return run(new MemoryBytes(content))
  return withFileBytes(path, run)
}
