import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { collectMiniProgram, EXIT, formatBytes, type Line, type ProblemCode, renderProblems } from '@symup/core'
import { type PackResult, pack } from '@symup/mini-program'
import type { UploadFlags } from '../flags.ts'
import { printLines } from '../terminal.ts'
import { runUpload } from '../uploading.ts'

export interface PackFlags {
  output: string
  over?: string
  json?: boolean
  quiet?: boolean
  strict?: boolean
  cwd?: string
}

export interface MiniProgramUploadFlags extends UploadFlags {
  appid?: string
  over?: string
}

/** `symup mini-program pack <dir|zip>`; returns the exit code. */
export async function packMiniProgram(from: string, flags: PackFlags): Promise<number> {
  keepHeapSmall()
  const cwd = resolve(flags.cwd ?? '.')
  const prose = flags.json ? process.stderr : process.stdout
  const result = await pack(resolve(cwd, from), {
    output: resolve(cwd, flags.output),
    ...(flags.over !== undefined && { over: resolve(cwd, flags.over) }),
  })
  printLines(renderProblems(result.problems), prose)
  if (flags.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
  if (result.archive === undefined) {
    printLines([{ severity: 'error', text: 'No archive was made.' }], prose)
    return notPacked(result)
  }
  if (!flags.quiet) printLines(contents(result), prose)
  const text = `Packed ${summary(result)} into ${relative(cwd, result.archive) || result.archive}, ${formatBytes(result.bytes)}.`
  printLines([{ severity: 'good', text }], prose)
  const failures = flags.strict ? ['error', 'warning'] : ['error']
  return result.problems.some(({ severity }) => failures.includes(severity)) ? EXIT.incomplete : EXIT.ok
}

/** `symup mini-program upload <zip|dir>`; returns the exit code. A zip is sent as it is, a directory is packed first. */
export async function uploadMiniProgram(
  from: string,
  flags: MiniProgramUploadFlags,
  toolVersion: string,
): Promise<number> {
  keepHeapSmall()
  const place = await mkdtemp(join(tmpdir(), 'symup-'))
  let refused = false
  try {
    const exitCode = await runUpload({
      flags,
      toolVersion,
      needsPrefix: false,
      async collect({ service, version }, cwd) {
        const source = resolve(cwd, from)
        const packed = await packIfNeeded(source, flags, cwd, join(place, 'sourcemap.zip'))
        const archive = packed ? packed.archive : source
        const release = { service: service.value, version: version.value, appid: flags.appid, toolVersion }
        const plan =
          archive === undefined ? { uploads: [], problems: [] } : await collectMiniProgram({ archive, ...release })
        // Packing has checked the same archive.
        const problems = (packed ?? plan).problems.map((it) => (it.file === source ? { ...it, file: from } : it))
        refused = problems.some(({ code }) => REFUSALS.has(code))
        return { uploads: plan.uploads, problems }
      },
    })
    return refused && exitCode === EXIT.nothingFound ? EXIT.incomplete : exitCode
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** There is an archive, and the intake would not take it: that is not "nothing to upload". */
const REFUSALS: ReadonlySet<ProblemCode> = new Set(['archive-too-large', 'archive-invalid'])

/** @returns undefined when the archive can be sent as it is. */
async function packIfNeeded(
  source: string,
  { over }: MiniProgramUploadFlags,
  cwd: string,
  output: string,
): Promise<PackResult | undefined> {
  const isDirectory = await stat(source).then(
    (found) => found.isDirectory(),
    () => true, // Packing says what is wrong.
  )
  if (!isDirectory && over === undefined) return undefined
  return pack(source, { output, ...(over !== undefined && { over: resolve(cwd, over) }) })
}

function notPacked({ problems }: PackResult): number {
  const has = (wanted: string) => problems.some(({ code }) => code === wanted)
  if (has('directory-unreadable')) return EXIT.unusable
  return has('archive-without-maps') ? EXIT.nothingFound : EXIT.incomplete
}

function summary({ maps, composed, totalBytes }: PackResult): string {
  const led = composed === 0 ? '' : `, ${composed} led to the sources,`
  return `${maps.length} source map${maps.length === 1 ? '' : 's'}${led} of ${formatBytes(totalBytes)}`
}

/** One line a package: the main package, then each sub-package. */
function contents({ maps }: PackResult): Line[] {
  const packages = new Map<string, { count: number; bytes: number }>()
  for (const { subPackage, bytes } of [...maps].sort((a, b) => (a.subPackage < b.subPackage ? -1 : 1))) {
    const { count, bytes: sum } = packages.get(subPackage) ?? { count: 0, bytes: 0 }
    packages.set(subPackage, { count: count + 1, bytes: sum + bytes })
  }
  return [...packages].map(([name, { count, bytes }]) => ({
    severity: 'info',
    text: `${formatBytes(bytes).padStart(9)}  ${name === '' ? 'main package' : name} (${count} map${count === 1 ? '' : 's'})`,
  }))
}

/** Packing makes much short-lived garbage; a young generation that grows with it would hold most of the memory, for no gain. */
function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}
