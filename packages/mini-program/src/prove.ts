import { type FilePart, gate, type Line, type Problem, renderProof, type SymbolUpload, shownPath } from '@symup/core'
import { Prover } from '@symup/core/internal'
import { MINI_PROGRAM_LIMITS, withoutScripts } from '@symup/core/mini-program'
import { openZip } from '@symup/core/resolving'
import { t } from '@symup/core/text'
import type { ComposedSources } from './compose.ts'
import { bytesOf, type MapSource } from './sources.ts'

/** Whether the maps lead to the original code, tried before anything is sent. */
export interface PackProof {
  /** Places that were tried, and how many of them lead to the original code. */
  positions: number
  resolved: number
  /** Scripts that were tried. */
  scripts: number
  /** The same for people. */
  lines: Line[]
}

/**
 * Tries places of every script whose map is packed, through the bytes of the archive. Of WeChat's own bundles there is no script: with the build output that
 * they were made of, its scripts are tried, which the packed maps lead through.
 * @param usable entries whose maps are worth a try.
 * @param cwd files in problems are named relative to it.
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
  for (const map of sources.ledThrough()) if (map.script) run.take(map, await bytesOf(map))
  const { proof, problems } = run.result()
  const isOnlyMaps = packed.size === 0 && usable.size > 0
  const note: Line =
    sources.composed() > 0
      ? { severity: 'info', text: t`WeChat's own scripts are not there, so no place in them was tried.` }
      : withoutScripts()
  return { proof: { ...proof, lines: [...proof.lines, ...(isOnlyMaps ? [note] : [])] }, problems }
}

/** Of an archive that was checked: its entries are within the limits. */
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

/** One script after the other: what is kept of each is small. */
class ProofRun {
  readonly #prover: Prover
  readonly #cwd: string
  /** With the path of each script. */
  readonly #tried = new Map<SymbolUpload, string>()

  constructor(cwd: string) {
    this.#prover = new Prover({ cwd })
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
    // Names of sources are relative to where the map is on the disk.
    const map = typeof from === 'string' ? from : (path ?? file)
    this.#prover.prove(upload, [part('source_map', map, content), part('minified_file', script)])
    this.#tried.set(upload, script)
  }

  result(): { proof: PackProof; problems: Problem[] } {
    const proof = this.#prover.proof([...this.#tried.keys()])
    const { positions, resolved, files: scripts } = proof
    // The intake takes an archive with a map that cannot be used.
    const found = proof.problems.map(
      (it): Problem => ({ ...it, severity: it.severity === 'error' ? 'warning' : it.severity }),
    )
    const files = [...proof.byUpload].map(([upload, counts]) => ({
      path: shownPath(this.#tried.get(upload) ?? '', this.#cwd),
      ...counts,
    }))
    const problems = gate(found, { files })
    return { proof: { positions, resolved, scripts, lines: renderProof(proof) }, problems }
  }
}

function part(name: string, path: string, content?: Uint8Array): FilePart {
  return { name, filename: name, path, bytes: content?.length ?? 0, ...(content && { content }) }
}
