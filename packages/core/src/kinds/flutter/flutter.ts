import { basename, join, resolve } from 'node:path'
import { hashFile } from '../../files/hash-file.ts'
import { shownPath } from '../../files/shown-path.ts'
import type { Plan, SymbolUpload } from '../../model/plan.ts'
import { problem } from '../../problems/problems.ts'
import { t } from '../../text.ts'
import { type Examined, type Findings, type PlaceInput, type ReleaseInput, releaseFields } from '../kind.ts'
import { filesAt } from '../list-within.ts'
import { notTaken, unpackFirst } from '../not-taken.ts'
import type { FlutterSymbolEvent } from './event.ts'
import { checkFlutterSymbols, wireArch } from './symbol-file.ts'
import { SYMBOLS } from './symbol-names.ts'

export interface FlutterInput extends ReleaseInput, PlaceInput {
  /** The directory that was passed to `--split-debug-info`, or a file in it. */
  path: string
  /** @default 'release' */
  flavor?: string
}

/**
 * Plans one upload for each architecture of a Flutter build. Stack frames refer to a symbol file by its build id, or by its release,
 * operating system and architecture. Most ELF files for iOS have no build id.
 */
export async function collectFlutter(input: FlutterInput): Promise<Plan> {
  const cwd = resolve(input.cwd ?? '.')
  const { allowedRoot } = input
  const wanted = (file: string) => SYMBOLS.test(basename(file))
  const { files, problems } = await filesAt(input.path, { cwd, allowedRoot, wanted })
  if (!files) return { uploads: [], problems }
  const uploads: SymbolUpload[] = []
  const nameless = new Map<string, Map<string, string>>()
  let found = 0
  for (const file of files) {
    const [, platform, arch] = SYMBOLS.exec(basename(file)) ?? []
    if (platform === undefined || arch === undefined) continue
    found++
    const { symbols, bytes, problems: flaws } = await checkFlutterSymbols(file, shownPath(file, cwd))
    problems.push(...flaws)
    if (flaws.some(({ severity }) => severity === 'error')) continue
    if (symbols?.buildId === undefined) {
      const builds = nameless.get(basename(file)) ?? new Map<string, string>()
      nameless.set(basename(file), builds.set(await hashFile(file), shownPath(file, cwd)))
    }
    const event: FlutterSymbolEvent = {
      type: 'flutter_symbol_file',
      ...releaseFields(input),
      flavor: input.flavor ?? 'release',
      platform: platform as FlutterSymbolEvent['platform'],
      arch: wireArch(arch),
    }
    uploads.push({ event, parts: [{ name: 'flutter_symbol_file', filename: basename(file), path: file, bytes }] })
  }
  for (const builds of nameless.values()) {
    if (builds.size < 2) continue
    const files = [...builds.values()].join(', ')
    const message = t`The files have no build id, so stacks resolve only with the file that is uploaded last: ${files}.`
    const fix = t`Pass the directory of one build.`
    problems.push(problem('build-id-missing', message, { severity: 'warning', fix }))
  }
  if (found === 0) {
    const message = t`No app.<platform>-<arch>.symbols files were found in ${input.path}.`
    const fix =
      notTaken(files, cwd) ??
      unpackFirst(input.path) ??
      t`Build with --split-debug-info=<directory> (and optionally --obfuscate), and pass that directory.`
    problems.push(problem('symbols-not-found', message, { fix }))
  }
  return { uploads, problems }
}

export async function examineFlutter({ directory, own, cwd }: Examined): Promise<Findings> {
  const found: Findings = { files: [], problems: [] }
  for (const file of own) {
    const path = join(directory, file)
    const shown = shownPath(path, cwd)
    const { symbols, bytes, problems } = await checkFlutterSymbols(path, shown)
    found.problems.push(...problems)
    const { arch, buildId, hasDebugInfo: debugInfo, hasSymbols } = symbols ?? {}
    const facts = symbols && { arch, debugInfo, symbols: hasSymbols, ...(buildId !== undefined && { buildId }) }
    found.files.push({ path: shown, kind: 'flutter', bytes, ...facts })
  }
  return found
}
