import { resolve } from 'node:path'
import { type FilePart, gate, type Line, type Problem, renderProof, type SymbolUpload, shownPath } from '@symup/core'
import { Prover, readRegular } from '@symup/core/internal'
import { MINI_PROGRAM_LIMITS, withoutScripts } from '@symup/core/mini-program'
import { openZip } from '@symup/core/resolving'
import { t } from '@symup/core/text'
import type { ComposedSources } from './compose.ts'
import { bytesOf, type MapSource } from './sources.ts'

/** The result of the check before the upload, which shows whether the maps resolve to the original code. */
export interface PackProof {
  /** Number of checked positions. `resolved` is the number of positions that resolve to the original code. */
  positions: number
  resolved: number
  scripts: number
  lines: Line[]
}

/**
 * Checks positions in every script that has a packed map, using the content of the archive. For WeChat's own bundles, no scripts are
 * available. If the build output is given, the scripts in it are checked with the packed maps.
 * @param usable the entries whose maps can be checked.
 * @param cwd the directory to which file names in problems are relative.
 */
export async function provePacked(
  archive: string,
  sources: ComposedSources,
  usable: ReadonlySet<string>,
  cwd: string,
): Promise<{ proof: PackProof; problems: Problem[] }> {
  const run = new ProofRun(cwd)
  const packed = new Map(sources.maps.flatMap((map) => (usable.has(map.entry) && map.script ? [[map.entry, map]] : [])))
  if (packed.size > 0) await takeEntries(archive, packed, run)
  for (const map of sources.found.through) if (map.script) run.take(map, await bytesOf(map))
  const { proof, problems } = run.result()
  const isOnlyMaps = packed.size === 0 && usable.size > 0
  const note: Line =
    sources.found.composed > 0
      ? {
          severity: 'info',
          text: t`The scripts from WeChat are not available, so the positions in them were not checked.`,
        }
      : withoutScripts()
  return { proof: { ...proof, lines: [...proof.lines, ...(isOnlyMaps ? [note] : [])] }, problems }
}

/** Reads the entries of an archive that has already been checked against the limits. */
async function takeEntries(archive: string, maps: ReadonlyMap<string, MapSource>, run: ProofRun): Promise<void> {
  const zip = await openZip(archive, MINI_PROGRAM_LIMITS.entries)
  try {
    for (const entry of zip.entries) {
      const map = maps.get(entry.name)
      if (!map) continue
      const chunks: Buffer[] = []
      await zip.inflate(entry, MINI_PROGRAM_LIMITS.mapBytes, (chunk) => {
        chunks.push(Buffer.from(chunk))
      })
      run.take(map, Buffer.concat(chunks))
    }
  } finally {
    await zip.close()
  }
}

/** Matches the module name that uni-app generates for a page or a component. */
const UNI_APP = /\.vue\?type=(?:component|page)"/

function ofTemplate(found: Problem): Problem {
  return {
    ...found,
    severity: 'info',
    message: t`uni-app generates no mappings for templates, so errors in the template of this script cannot be resolved.`,
    fix: t`Move long expressions into methods, for which uni-app generates mappings.`,
  }
}

/** Checks one script at a time to limit memory use. */
class ProofRun {
  readonly #prover: Prover
  readonly #cwd: string
  readonly #tried = new Map<SymbolUpload, string>()
  /** Displayed paths of scripts that contain a uni-app template. */
  readonly #templates = new Set<string>()

  constructor(cwd: string) {
    this.#prover = new Prover({ cwd, filesOf: (_, [map, script]) => map && script && { map, script } })
    this.#cwd = cwd
  }

  take({ script = '', content: from, path, file }: MapSource, content: Uint8Array): void {
    const event = {
      type: 'js_sourcemap',
      cli_version: '',
      service: '',
      version: '',
      minified_url: '',
      project_path: '',
    }
    const upload = { event, parts: [] } as SymbolUpload
    // Source names are relative to the map's path on disk.
    const map = typeof from === 'string' ? from : (path ?? file)
    this.#prover.prove(upload, [part('map', map, content), part('script', script)])
    this.#tried.set(upload, script)
    if (UNI_APP.test(Buffer.from(content).toString('latin1'))) this.#templates.add(shownPath(script, this.#cwd))
  }

  result(): { proof: PackProof; problems: Problem[] } {
    const proof = this.#prover.proof([...this.#tried.keys()])
    const { positions, resolved, files: scripts } = proof
    // Errors are converted to warnings, because the intake accepts archives that contain unusable maps.
    const found = proof.problems.map((it): Problem => {
      if (it.code === 'map-incomplete' && this.#templates.has(it.file ?? '')) return ofTemplate(it)
      return { ...namingTaro(it, this.#cwd), severity: it.severity === 'error' ? 'warning' : it.severity }
    })
    const files = [...proof.byUpload].map(([upload, counts]) => ({
      path: shownPath(this.#tried.get(upload) ?? '', this.#cwd),
      ...counts,
    }))
    const problems = gate(found, { files })
    return { proof: { positions, resolved, scripts, lines: renderProof(proof) }, problems }
  }
}

/**
 * Matches the `require` call that Taro's MiniSplitChunksPlugin inserts before the first line of a sub-package page, after webpack has
 * generated the map.
 */
const SHARED_BY_TARO = /^(?:"use strict";)?require\("[^"]*\/sub-(?:vendors|common\/[^"]*)\.js"\);/

function namingTaro(found: Problem, cwd: string): Problem {
  if (found.code !== 'map-offset' || found.file === undefined) return found
  const beginning = readRegular(resolve(cwd, found.file)).toString('latin1', 0, 1024)
  if (!SHARED_BY_TARO.test(beginning)) return found
  return {
    ...found,
    message: t`Taro inserted require() calls for shared scripts of the sub-package after the source map was generated, so all positions are wrong.`,
    fix: t`Set mini.optimizeMainPackage to { enable: false } in Taro's config, and build again.`,
  }
}

function part(name: string, path: string, content?: Uint8Array): FilePart {
  return { name, filename: name, path, bytes: content?.length ?? 0, ...(content && { content }) }
}
