import { statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { shownPath } from '../../files/shown-path.ts'
import type { Plan, SymbolUpload } from '../../model/plan.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { unreadable } from '../../problems/unreadable.ts'
import { t } from '../../text.ts'
import type { Examined, Findings } from '../kind.ts'
import { listWithin, unlistedIn } from '../list-within.ts'
import { notTaken } from '../not-taken.ts'
import type { FlutterSymbolEvent } from './event.ts'
import { checkFlutterSymbols, wireArch } from './symbol-file.ts'
import { SYMBOLS } from './symbol-names.ts'

export interface FlutterInput {
  /** The directory passed to `--split-debug-info`, or one of its files. */
  path: string
  /** Default `release`. */
  flavor?: string
  service: string
  version: string
  /** Version of the sending tool, sent as `cli_version`. */
  toolVersion: string
  /** Base of relative paths. Default: the working directory. */
  cwd?: string
  /** Additional directory for links. Absolute. */
  allowedRoot?: string
}

/**
 * Plans the upload of a Flutter build's symbol files, one upload per architecture. Stacks find them by release, system and architecture,
 * and by build id if there is one; ELF files for iOS mostly have none.
 */
export async function collectFlutter(input: FlutterInput): Promise<Plan> {
  const cwd = input.cwd ?? '.'
  const path = resolve(cwd, input.path)
  const problems: Problem[] = []
  let files = [path]
  try {
    if (!statSync(path).isFile()) {
      const found = await listWithin(path, {
        allowedRoot: input.allowedRoot,
        wanted: (file) => SYMBOLS.test(basename(file)),
        shown: (file) => shownPath(join(path, file), resolve(cwd)),
      })
      problems.push(...found.problems)
      files = found.files.map((file) => join(path, file))
    }
  } catch (error) {
    const file = unlistedIn(path, input.path, error)
    return { uploads: [], problems: [unreadable('directory-unreadable', error, { file })] }
  }
  const uploads: SymbolUpload[] = []
  let found = 0
  for (const file of files) {
    const [, platform, arch] = SYMBOLS.exec(basename(file)) ?? []
    if (platform === undefined || arch === undefined) continue
    found++
    const { bytes, problems: flaws } = await checkFlutterSymbols(file, shownPath(file, resolve(cwd)))
    problems.push(...flaws)
    if (flaws.some(({ severity }) => severity === 'error')) continue
    const event: FlutterSymbolEvent = {
      type: 'flutter_symbol_file',
      cli_version: input.toolVersion,
      service: input.service,
      version: input.version,
      flavor: input.flavor ?? 'release',
      platform: platform as FlutterSymbolEvent['platform'],
      arch: wireArch(arch),
    }
    uploads.push({ event, parts: [{ name: 'flutter_symbol_file', filename: basename(file), path: file, bytes }] })
  }
  if (found === 0) {
    const message = t`${input.path} contains no app.<platform>-<arch>.symbols.`
    const fix =
      (await notTaken(files, resolve(cwd))) ??
      t`Build with --split-debug-info=<directory> (and --obfuscate, if wanted), and pass that directory.`
    problems.push(problem('symbols-not-found', message, { fix }))
  }
  return { uploads, problems }
}

/** Checks Flutter symbol files: architecture and debug information. */
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
