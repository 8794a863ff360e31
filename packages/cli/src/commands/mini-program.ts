import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import {
  collectMiniProgram,
  EXIT,
  formatBytes,
  type Kind,
  type Line,
  type Plan,
  type Problem,
  type ProblemCode,
  renderProblems,
  shownPath,
} from '@symup/core'
import { type MiniProgramFlags, withTemporaryDirectory } from '@symup/core/internal'
import { inspectArchive, withoutScripts } from '@symup/core/mini-program'
import { t } from '@symup/core/text'
import { appidOf, type PackOptions, type PackResult, pack } from '@symup/mini-program'
import { printDocument } from '../failure.ts'
import type { UploadFlags } from '../flags.ts'
import { printLines } from '../terminal.ts'
import { type Paths, runUpload } from '../uploading.ts'

type PackFlags = Pick<UploadFlags, 'json' | 'quiet' | 'failOnWarnings' | 'cwd'> &
  Pick<MiniProgramFlags, 'over' | 'proof'> & { output: string }

/** @returns the exit code. */
export async function packMiniProgram(from: string, flags: PackFlags): Promise<number> {
  const cwd = resolve(flags.cwd ?? '.')
  const prose = flags.json ? process.stderr : process.stdout
  const result = await pack(resolve(cwd, from), {
    output: resolve(cwd, flags.output),
    cwd,
    proof: flags.proof,
    ...(flags.over !== undefined && { over: resolve(cwd, flags.over) }),
  })
  printLines(renderProblems(result.problems), prose)
  if (flags.json) printDocument(result)
  if (result.archive === undefined) {
    printLines([{ severity: 'error', text: t`No archive was written.` }], prose)
    return notPacked(result)
  }
  if (!flags.quiet) printLines([...contents(result), ...(result.proof?.lines ?? [])], prose)
  const text = t`Packed ${summary(result)} into ${shownPath(result.archive, cwd)} (${formatBytes(result.bytes)}).`
  printLines([{ severity: 'good', text }], prose)
  const failures = flags.failOnWarnings ? ['error', 'warning'] : ['error']
  return result.problems.some(({ severity }) => failures.includes(severity)) ? EXIT.incomplete : EXIT.ok
}

/**
 * Runs `symup mini-program upload <zip|dir>`. Archives are sent unchanged. Directories are packed first.
 * @returns the exit code.
 */
export async function uploadMiniProgram(
  _: Kind,
  [from]: Paths,
  flags: UploadFlags & MiniProgramFlags,
  toolVersion: string,
): Promise<number> {
  let refused = false
  const exitCode = await withTemporaryDirectory(async (directory) => {
    const source = resolve(flags.cwd ?? '.', from)
    const output = join(directory, 'sourcemap.zip')
    const first = flags.releaseVersion === 'auto' ? await preparedArchive(source, flags, { output }) : undefined
    const told = first?.checked?.userVersion
    return runUpload({
      flags,
      toolVersion,
      needsPrefix: false,
      inferred: { inferredVersion: told === undefined ? undefined : { value: told, from: basename(from) } },
      async collect({ service, version, allowedRoot, settings: { include, exclude } }) {
        const globs = { include: include?.value, exclude: exclude?.value }
        const prepared = await preparedArchive(source, flags, { output, allowedRoot, ...globs })
        const { archive, checked, problems, details } = prepared
        const { cwd = '.', over } = flags
        const places = [source, ...(over === undefined ? [] : [resolve(cwd, over)]), resolve(cwd)]
        const { appid, problems: unnamed } = await appidOf(flags.appid, places)
        const release = { service, version, appid, toolVersion }
        const plan: Plan = checked
          ? await collectMiniProgram({ archive, checked, ...release })
          : { uploads: [], problems: [] }
        const all = [...problems, ...unnamed, ...plan.problems].map((it) =>
          it.file === source ? { ...it, file: from } : it,
        )
        refused = all.some(({ code }) => REFUSALS.has(code))
        return { uploads: plan.uploads, problems: all, details }
      },
    })
  })
  return refused && exitCode === EXIT.nothingFound ? EXIT.incomplete : exitCode
}

interface Prepared {
  archive: string
  /** Absent if the archive cannot be sent. In that case, the problems explain why. */
  checked?: { userVersion?: string }
  details: readonly Line[]
  problems: Problem[]
}

/** Codes of the problems that make an intake reject an archive. */
const REFUSALS: ReadonlySet<ProblemCode> = new Set(['archive-too-large', 'archive-invalid'])

/** Packs a directory. An archive is repacked only if its maps have to be composed with other maps. */
async function preparedArchive(
  source: string,
  { over, cwd = '.', proof = true }: UploadFlags & MiniProgramFlags,
  how: Pick<PackOptions, 'output' | 'include' | 'exclude' | 'allowedRoot'>,
): Promise<Prepared> {
  const isDirectory = await stat(source).then(
    (found) => found.isDirectory(),
    () => true, // Packing reports the problem.
  )
  if (!isDirectory && over === undefined) {
    const inspected = await inspectArchive(source)
    return { archive: source, ...inspected, details: proof && inspected.checked ? [withoutScripts()] : [] }
  }
  const packed = await pack(source, {
    ...how,
    cwd: resolve(cwd),
    proof,
    ...(over !== undefined && { over: resolve(cwd, over) }),
  })
  const { archive, problems } = packed
  const details = packed.proof?.lines ?? []
  return { archive: how.output, ...(archive !== undefined && { checked: packed }), problems, details }
}

function notPacked({ problems }: PackResult): number {
  const has = (wanted: string) => problems.some(({ code }) => code === wanted)
  if (has('directory-unreadable')) return EXIT.unusable
  return has('archive-without-maps') ? EXIT.nothingFound : EXIT.incomplete
}

function summary({ maps, composed, totalBytes }: PackResult): string {
  const all = t`${maps.length} source map${maps.length === 1 ? '' : 's'}`
  return composed === 0
    ? t`${all} (${formatBytes(totalBytes)})`
    : t`${all} (${formatBytes(totalBytes)}), including ${composed} mapped to the original sources`
}

function contents({ maps }: PackResult): Line[] {
  const packages = new Map<string, { count: number; bytes: number }>()
  for (const { subPackage, bytes } of [...maps].sort((a, b) => (a.subPackage < b.subPackage ? -1 : 1))) {
    const { count, bytes: sum } = packages.get(subPackage) ?? { count: 0, bytes: 0 }
    packages.set(subPackage, { count: count + 1, bytes: sum + bytes })
  }
  return [...packages].map(([name, { count, bytes }]) => ({
    severity: 'info',
    text: t`${formatBytes(bytes).padStart(9)}  ${name === '' ? t`main package` : name} (${count} map${count === 1 ? '' : 's'})`,
  }))
}
