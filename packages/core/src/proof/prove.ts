import { basename } from 'node:path'
import { eventLoopYielder } from '../event-loop.ts'
import { readEnds } from '../files/file-ends.ts'
import { shownPath } from '../files/shown-path.ts'
import { isHermesBytecode } from '../formats/hermes/hermes-map.ts'
import { type ByteSource, FileBytes, MemoryBytes, withFileBytes } from '../formats/source-map/bytes.ts'
import type { FilePart, SymbolUpload } from '../model/plan.ts'
import type { Problem } from '../problems/problems.ts'
import { unreadable } from '../problems/unreadable.ts'
import { t } from '../text.ts'
import { withFaults } from './blame.ts'
import { addSource, type OwnProof } from './own-proof.ts'
import { proveScript, type ScriptProof } from './prove-script.ts'
import { shownSource } from './sources.ts'
import { ADDRESS, type TransformFaults } from './transform-faults.ts'

export interface ProofOptions {
  /** What the bundler knows of transforms that lost maps, asked for of each script and when all is proven. */
  faults?: (() => TransformFaults | undefined) | undefined
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
  /** Scripts among them that hold mostly data, which is not judged. */
  dataFiles: number
  /** Scripts among them whose sources' text is not in the map: there is nothing to compare with. */
  textlessFiles: number
  /** Scripts among them that do not fit their map as a whole: their sources are not reported one by one. */
  misfits: string[]
  /** Positions of scripts of libraries only that do not lead to the original code: `file:line:column`, 1-based. */
  failed: string[]
  /** The same of the app's own sources in all scripts. */
  own: OwnProof
  problems: Problem[]
  /** Positions of each tried upload. */
  byUpload: Map<SymbolUpload, { positions: number; resolved: number }>
  /** Uploads whose files cannot be used: an error among the problems says why. */
  unusable: Set<SymbolUpload>
}

export interface ProofWithSources extends Proof {
  /** Sources that the map of each tried upload names. */
  sources: Map<SymbolUpload, readonly string[]>
}

/**
 * Resolves sample positions (throw sites, calls, function starts, ends of long lines; at most 200 a file) through the bytes that are about
 * to be sent and compares them with the sources in the maps. Files are read by windows, so memory does not grow with them.
 */
export async function prove(uploads: readonly SymbolUpload[], options: ProofOptions = {}): Promise<ProofWithSources> {
  const prover = new Prover(options)
  const yieldToEventLoop = eventLoopYielder()
  const sources: ProofWithSources['sources'] = new Map()
  for (const upload of uploads) {
    await yieldToEventLoop()
    const found = prover.prove(upload)
    if (found?.sources) sources.set(upload, found.sources)
  }
  return { ...prover.proof(uploads), sources }
}

/** Proves one artifact after the other, in any order. Of the names in their maps it keeps none that it does not need: an app may have 2,000 maps. */
export class Prover {
  readonly #cwd: string
  readonly #faults: ProofOptions['faults']
  readonly #found = new Map<SymbolUpload, Omit<Found, 'sources'>>()
  /** Sources of all maps, as they are shown: faults are looked for among them. */
  readonly #named = new Set<string>()
  readonly #scriptMemory = FileBytes.memory()
  readonly #mapMemory = FileBytes.memory()

  constructor({ cwd = process.cwd(), faults }: ProofOptions = {}) {
    this.#cwd = cwd
    this.#faults = faults
  }

  /**
   * @param parts the artifact's files where their bytes are in memory already. Default: those of the artifact.
   * @returns the sources that its map names, and whether it can be used; undefined when it is nothing that is proven.
   */
  prove(upload: SymbolUpload, parts: readonly FilePart[] = upload.parts): Found | undefined {
    const pair = pairOf(upload, parts)
    if (!pair) return undefined
    const file = shownPath(pair.script.path, this.#cwd)
    const disk = { cwd: this.#cwd, script: pair.script.path, map: pair.map.path }
    const known = { faults: this.#faults?.(), disk }
    let found: Found
    try {
      const proof = withBytes(pair.script, this.#scriptMemory, (script) =>
        withBytes(pair.map, this.#mapMemory, (map) => proveScript(file, script, map, known)),
      )
      found = { ...proof, file, isUsable: proof.problems.every(({ severity }) => severity !== 'error') }
    } catch (error) {
      found = { file, isUsable: false, problems: [unreadable('file-unreadable', error, { file })] }
    }
    const { sources = [], ...kept } = found
    this.#found.set(upload, kept)
    if (this.#faults) for (const source of sources) this.#named.add(ADDRESS.test(source) ? source : shownSource(source))
    return found
  }

  /** What became of those of the artifacts that were tried, in the order in which they are given. */
  proof(uploads: readonly SymbolUpload[]): Proof {
    const proof: Proof = {
      positions: 0,
      resolved: 0,
      files: 0,
      dataFiles: 0,
      textlessFiles: 0,
      misfits: [],
      failed: [],
      own: { sources: new Map(), unmapped: 0 },
      problems: [],
      byUpload: new Map(),
      unusable: new Set(),
    }
    const scripts = new Set(uploads.flatMap((upload) => scriptName(upload) ?? []))
    for (const upload of uploads) {
      const found = this.#found.get(upload)
      if (!found) continue
      proof.problems.push(...withOtherScript(found, scriptName(upload), scripts))
      if (!found.isUsable) proof.unusable.add(upload)
      const { positions, resolved, own, isData, hasText, failed = [] } = found
      if (positions === undefined || resolved === undefined) continue
      proof.files++
      if (isData) proof.dataFiles++
      if (hasText === false) proof.textlessFiles++
      proof.misfits.push(...misfitsIn(found))
      proof.failed.push(...failed.map((position) => `${found.file}:${position}`))
      proof.positions += positions
      proof.resolved += resolved
      if (own) add(proof.own, own)
      proof.byUpload.set(upload, { positions, resolved })
    }
    const areAllTried = uploads.every((upload) => this.#found.has(upload) || !pairOf(upload, upload.parts))
    const context = { named: areAllTried ? this.#named : undefined, cwd: this.#cwd }
    const { own, problems } = withFaults(proof.own, this.#faults?.(), context)
    return { ...proof, own, problems: [...proof.problems, ...problems] }
  }
}

/** What became of one artifact. Without positions it could not be read. */
interface Found extends Partial<ScriptProof> {
  /** The script, as the user knows it. */
  file: string
  problems: Problem[]
  isUsable: boolean
}

function scriptName({ parts }: SymbolUpload): string | undefined {
  const script = parts.find(({ name }) => name === 'minified_file')
  return script && basename(script.path)
}

/** Says of a script that does not fit its map when the map says that it was made for another one of the upload: two maps that were swapped look coarse, or incomplete. */
function withOtherScript(
  { problems, madeFor }: Omit<Found, 'sources'>,
  script: string | undefined,
  scripts: ReadonlySet<string>,
): Problem[] {
  const other = madeFor && basename(madeFor)
  if (!other || other === script || !scripts.has(other)) return problems
  return problems.map((found) =>
    FROM_MAP.has(found.code)
      ? { ...found, message: t`${found.message} The map says that it is the one of ${other}.` }
      : found,
  )
}

/** What a map may have for the reason that it is another script's. */
const FROM_MAP: ReadonlySet<string> = new Set(['map-stale', 'map-offset', 'map-low-resolution', 'map-incomplete'])
const MISFIT: ReadonlySet<string> = new Set(['map-stale', 'map-offset', 'map-invalid'])

/** The scripts that do not fit their map as a whole; none where single sources are wrong, which are reported instead. */
function misfitsIn({ problems, own }: Omit<Found, 'sources'>): string[] {
  if (own && (own.unmapped > 0 || [...own.sources.values()].some(({ wrong }) => wrong !== undefined))) return []
  return problems.flatMap(({ code, file }) => (MISFIT.has(code) && file !== undefined ? [file] : []))
}

function add(sum: OwnProof, { sources, unmapped }: OwnProof): void {
  for (const [name, found] of sources) addSource(sum.sources, name, found)
  sum.unmapped += unmapped
}

function pairOf({ event }: SymbolUpload, parts: readonly FilePart[]): { map: FilePart; script: FilePart } | undefined {
  const part = (wanted: string) => parts.find(({ name }) => name === wanted)
  const map = part('source_map')
  const script =
    event.type === 'js_sourcemap'
      ? unlessWasm(part('minified_file'))
      : event.type === 'react_native_sourcemap'
        ? unlessBinary(part('bundle'))
        : undefined
  return map && script && { map, script }
}

/** A module of WebAssembly has no text to compare with. */
function unlessWasm(script: FilePart | undefined): FilePart | undefined {
  return script && /\.wasm$/i.test(script.path) ? undefined : script
}

const HEAD_BYTES = 8
/** A RAM bundle has a table and, each behind the other, its modules: their lines in the map are not those of the file. Source: `magic-number.js` of Metro. */
const RAM_BUNDLE = Buffer.from('e5d10bfb', 'hex')

/** Of what Hermes compiled, and in a RAM bundle, there is no code to compare with. What cannot be read is passed on: to try it says why. */
function unlessBinary(bundle: FilePart | undefined): FilePart | undefined {
  if (!bundle) return undefined
  try {
    const { head } = readEnds(bundle.content ?? bundle.path, HEAD_BYTES, 0)
    const isBinary = isHermesBytecode(head) || head.subarray(0, RAM_BUNDLE.length).equals(RAM_BUNDLE)
    return isBinary ? undefined : bundle
  } catch {
    return bundle
  }
}

/** @throws the file system's error. */
function withBytes<T>({ content, path }: FilePart, memory: Buffer, run: (bytes: ByteSource) => T): T {
  if (content) return run(new MemoryBytes(content))
  return withFileBytes(path, memory, run)
}
