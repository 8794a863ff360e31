import { basename, join, resolve } from 'node:path'
import { type CheckTarget, EXIT, KINDS, type Kind, type Problem, problem, shownPath } from '@symup/core'
import { notTaken } from '@symup/core/internal'
import { isMiniProgram } from '@symup/core/mini-program'
import { shellWord, t } from '@symup/core/text'
import { CommandFailure } from '../failure.ts'
import { settingsIn } from '../flags.ts'
import { uploadOf } from '../register/kinds.ts'
import { printLines } from '../terminal.ts'
import { type KindFlags, uploadStaged } from '../uploading.ts'
import { settingsOf, targetOf } from './check.ts'

/**
 * Runs `symup upload <path>`, which detects the kind of the symbol files and runs the command for that kind. An app bundle may contain
 * files of two kinds. `symup upload --staged` uploads source maps that earlier builds staged.
 * @returns the exit code.
 * @throws CommandFailure if the path contains no symbol files, or symbol files of several kinds.
 */
export async function uploadAnything(
  path: string | undefined,
  flags: KindFlags & { staged?: boolean },
  toolVersion: string,
): Promise<number> {
  if (flags.staged && path === undefined) return uploadStaged(flags, toolVersion)
  if (path === undefined || flags.staged) {
    const message = flags.staged
      ? t`The --staged flag cannot be combined with a path.`
      : t`symup upload requires a path or the --staged flag.`
    throw new CommandFailure([problem('command-invalid', message, { fix: t`Run symup upload --help for examples.` })])
  }
  const matches = await matchesAt(path, flags)
  if (matches.length > 1 && !(isAlone(path) && !flags.json)) throw undecided(path, matches)
  const exitCodes: number[] = []
  for (const { kind, path } of matches) {
    if (!flags.quiet) {
      const text = t`${path}: ${kind.label} (same as ${commandOf(kind)})`
      printLines([{ severity: 'info', text }], flags.json ? process.stderr : process.stdout)
    }
    const upload = await uploadOf(kind)
    exitCodes.push(await upload(kind, [path], flags, toolVersion))
  }
  return exitCodes.find((code) => code !== EXIT.ok) ?? EXIT.ok
}

/** Returns whether the path is an app file, which may contain several kinds of symbol files. */
const isAlone = (path: string) => /\.(?:aab|apk)$/i.test(path)

const commandOf = ({ command }: Kind) => `symup ${command?.group.name} ${command?.name ?? 'upload'}`

function undecided(path: string, matches: readonly Match[]): CommandFailure {
  const labels = new Set(matches.map(({ kind }) => kind.label))
  const message =
    labels.size === 1
      ? t`${path} contains ${matches.length} files that must be uploaded separately (${[...labels].join()}).`
      : t`${path} contains several kinds of symbol files (${labels.size}): ${[...labels].join(', ')}.`
  const commands = matches.map((match) => `${commandOf(match.kind)} ${shellWord(match.path)}`)
  return new CommandFailure([
    problem('command-invalid', message, { fix: t`Run a separate command for each upload: ${commands.join('; ')}` }),
  ])
}

interface Match {
  kind: Kind
  path: string
}

/** @throws CommandFailure if no kind matches. */
async function matchesAt(path: string, flags: KindFlags): Promise<Match[]> {
  const cwd = resolve(flags.cwd ?? '.')
  const absolute = resolve(cwd, path)
  const { allowedRoot } = settingsOf(settingsIn(flags), flags, cwd)
  const target = await targetOf(absolute, cwd, allowedRoot?.value)
  if ('code' in target) throw new CommandFailure([target])
  const kinds = KINDS.filter(({ command }) => command)
  if (!target.single && (await isMiniProgram(absolute)))
    return kinds.filter(({ platform }) => platform === 'miniprogram').map((kind) => ({ kind, path }))
  const found: Match[] = []
  for (const kind of kinds) {
    const own = await filesOf(kind, target)
    const takesFiles = kind.command?.takesFile && !target.single
    if (takesFiles) found.push(...own.map((file) => ({ kind, path: shownPath(join(absolute, file), cwd) })))
    else if (own.length > 0) found.push({ kind, path })
  }
  // HarmonyOS builds also contain native libraries, but the HarmonyOS command uploads them.
  const isHarmony = found.some(({ kind }) => kind.platform === 'harmony')
  if (found.length > 0) return isHarmony ? found.filter(({ kind }) => kind.platform !== 'android') : found
  throw new CommandFailure([nothingAt(path, absolute, target, cwd)], EXIT.nothingFound)
}

function nothingAt(path: string, absolute: string, { files }: CheckTarget, cwd: string): Problem {
  const scripts = files.filter((file) => SCRIPT.test(file)).length
  if (scripts > 0) {
    const message = t`${path} contains ${scripts} JavaScript file${scripts === 1 ? '' : 's'}, but no usable source maps.`
    return problem('nothing-found', message)
  }
  const fix = notTaken([absolute], cwd) ?? t`Pass the directory that the build writes to.`
  return problem('nothing-found', t`${path} contains no symbol files that symup supports.`, { fix })
}

const SCRIPT = /\.[cm]?js$/

/** Finds the files of a kind at a path. Archives and ambiguous names are identified by their content. */
async function filesOf({ check, command }: Kind, target: CheckTarget): Promise<string[]> {
  const own = target.files.filter((file) => check?.isOne(file, target.single))
  if (!check || !command || own.length === 0) return []
  // Most builds contain scripts, so scripts are considered only if there is also a source map. The map may have any name.
  if (own.every((file) => SCRIPT.test(file))) return target.files.some((file) => file.endsWith('.map')) ? own : []
  const isArchive = target.single && /\.(?:zip|aab)$/i.test(basename(own[0] ?? ''))
  // Gradle and Breakpad both write files such as libshop.so.sym.
  if (!isArchive && !own.every((file) => file.endsWith('.so.sym'))) return own
  return (await check.examine({ ...target, own })).files.length > 0 ? own : []
}
