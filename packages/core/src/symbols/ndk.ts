import { statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { NdkSymbolEvent } from '../event.ts'
import type { Plan } from '../plan.ts'
import { type Problem, problem } from '../problems.ts'
import { archOfAbi, checkNativeLibrary } from './native-library.ts'
import { listFiles } from './walk.ts'

export interface NdkInput {
  /** Directories, or single libraries, as the user would name them. `.so` files at any depth count. */
  paths: readonly string[]
  service: string
  version: string
  /** `versionCode` of the build. */
  versionCode: number
  /** Build variant, such as `paidRelease`. */
  variant: string
  /** Id of the app build, when the build has one; the build-id of a library is read from the library. */
  buildId?: string
  /** Version of the sending tool, sent as `cli_version`. */
  toolVersion: string
  /** What paths in problems are relative to. Default: the working directory. */
  cwd?: string
}

interface Library {
  path: string
  bytes: number
  arch: string
}

/** Runtimes that the NDK brings along, stripped or not as it sees fit: nothing the user can build again. */
const RUNTIME = /^(?:libc\+\+_shared|libclang_rt\..*)\.so$/

/**
 * Plans the upload of unstripped Android libraries: each once, however many directories hold a copy, and never one that would resolve
 * nothing. Reads a few KB of each.
 */
export async function collectNdkLibraries(input: NdkInput): Promise<Plan> {
  const cwd = input.cwd ?? process.cwd()
  const shown = (path: string) => (relative(cwd, path).startsWith('..') ? path : relative(cwd, path))
  const problems: Problem[] = []
  const paths = await findLibraries(input.paths, problems)
  const usable = new Map<string, Library>()
  const rejected: { library: string; buildId: string | undefined; flaws: Problem[] }[] = []
  for (const path of paths) {
    const { elf, bytes, problems: flaws } = await checkNativeLibrary(path, shown(path))
    if (elf?.buildId === undefined || flaws.some(({ severity }) => severity === 'error')) {
      rejected.push({ library: path, buildId: elf?.buildId, flaws })
      continue
    }
    const key = `${elf.buildId} ${basename(path)}`
    if (usable.has(key)) continue
    usable.set(key, { path, bytes, arch: archOfAbi(basename(join(path, '..'))) ?? elf.arch })
    problems.push(...flaws)
  }
  for (const { library, buildId, flaws } of rejected) {
    const twin = usable.get(`${buildId} ${basename(library)}`)
    if (twin) problems.push(...asInfo(flaws, `its copy with symbols, ${shown(twin.path)}, is uploaded instead`))
    else if (RUNTIME.test(basename(library)))
      problems.push(...asInfo(flaws, 'it belongs to the NDK, so it is left out'))
    else problems.push(...flaws)
  }
  if (paths.length === 0 && problems.length === 0) {
    problems.push(problem('no-native-libraries', `No .so file was found in ${input.paths.map(shown).join(', ')}.`))
  }
  return { uploads: [...usable.values()].map((library) => uploadOf(library, input)), problems }
}

async function findLibraries(paths: readonly string[], problems: Problem[]): Promise<string[]> {
  const found = new Set<string>()
  for (const path of paths) {
    try {
      if (statSync(path).isDirectory()) {
        for (const file of await listFiles(path)) if (file.endsWith('.so')) found.add(join(path, file))
      } else found.add(path)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
      problems.push(problem('directory-unreadable', `${path} ${why}.`, { file: path }))
    }
  }
  return [...found].sort()
}

function asInfo(flaws: Problem[], because: string): Problem[] {
  return flaws.map((flaw) => ({
    ...flaw,
    severity: 'info',
    message: `${flaw.message.replace(/\.$/, '')}; ${because}.`,
    fix: 'Nothing.',
  }))
}

function uploadOf({ path, bytes, arch }: Library, input: NdkInput): Plan['uploads'][number] {
  const event: NdkSymbolEvent = {
    type: 'ndk_symbol_file',
    cli_version: input.toolVersion,
    service: input.service,
    version: input.version,
    version_code: input.versionCode,
    variant: input.variant,
    arch,
    ...(input.buildId !== undefined && { build_id: input.buildId }),
  }
  return { event, parts: [{ name: 'ndk_symbol_file', filename: basename(path), path, bytes }] }
}
