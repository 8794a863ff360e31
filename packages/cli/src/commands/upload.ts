import { basename, resolve } from 'node:path'
import { type CheckTarget, EXIT, KINDS, type Kind, problem } from '@symup/core'
import { notTaken } from '@symup/core/internal'
import { isMiniProgram } from '@symup/core/mini-program'
import { t } from '@symup/core/text'
import { CommandFailure } from '../failure.ts'
import { settingsIn } from '../flags.ts'
import { uploadOf } from '../register/kinds.ts'
import { printLines } from '../terminal.ts'
import { type KindFlags, uploadStaged } from '../uploading.ts'
import { settingsOf, targetOf } from './check.ts'

/**
 * `symup upload <path>`: detects the kind of symbol files and runs its command. An app bundle may contain two kinds.
 * `symup upload --staged` uploads the source maps that builds staged.
 * @returns the exit code.
 * @throws CommandFailure if the path contains no symbol files, or files of several kinds.
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
  const kinds = await kindsAt(path, flags)
  if (kinds.length > 1 && !(isAlone(path) && !flags.json)) throw undecided(path, kinds)
  const exitCodes: number[] = []
  for (const kind of kinds) {
    if (!flags.quiet) {
      const text = t`${path}: ${kind.label} (same as ${commandOf(kind)})`
      printLines([{ severity: 'info', text }], flags.json ? process.stderr : process.stdout)
    }
    const upload = await uploadOf(kind)
    exitCodes.push(await upload(kind, [path], flags, toolVersion))
  }
  return exitCodes.find((code) => code !== EXIT.ok) ?? EXIT.ok
}

/** A single app file may contain several kinds. */
const isAlone = (path: string) => /\.(?:aab|apk)$/i.test(path)

const commandOf = ({ command }: Kind) => `symup ${command?.group.name} ${command?.name ?? 'upload'}`

function undecided(path: string, kinds: readonly Kind[]): CommandFailure {
  const message = t`${path} contains several kinds of symbol files (${kinds.length}): ${kinds.map(({ label }) => label).join(', ')}.`
  const commands = kinds.map((kind) => `${commandOf(kind)} ${path}`)
  return new CommandFailure([
    problem('command-invalid', message, { fix: t`Upload each kind with a separate command: ${commands.join('; ')}` }),
  ])
}

/** @throws CommandFailure if no kind matches. */
async function kindsAt(path: string, flags: KindFlags): Promise<Kind[]> {
  const cwd = resolve(flags.cwd ?? '.')
  const absolute = resolve(cwd, path)
  const { allowedRoot } = settingsOf(settingsIn(flags), flags, cwd)
  const target = await targetOf(absolute, cwd, allowedRoot?.value)
  if ('code' in target) throw new CommandFailure([target])
  const kinds = KINDS.filter(({ command }) => command)
  if (!target.single && (await isMiniProgram(absolute)))
    return kinds.filter(({ platform }) => platform === 'miniprogram')
  const found: Kind[] = []
  for (const kind of kinds) if (await isThere(kind, target)) found.push(kind)
  // A HarmonyOS build also has native libraries, which its command uploads.
  const isHarmony = found.some(({ platform }) => platform === 'harmony')
  if (found.length > 0) return isHarmony ? found.filter(({ platform }) => platform !== 'android') : found
  const message = t`${path} contains no symbol files that symup supports.`
  const fix = (await notTaken([absolute], cwd)) ?? t`Pass the directory that the build writes to.`
  throw new CommandFailure([problem('nothing-found', message, { fix })], EXIT.nothingFound)
}

/** Whether a path contains files of a kind. A zip is judged by its content. */
async function isThere({ check, command }: Kind, target: CheckTarget): Promise<boolean> {
  const own = target.files.filter((file) => check?.isOne(file, target.single))
  if (!check || !command || own.length === 0) return false
  // A script may have a map under any name, and most builds contain scripts, so only a map counts.
  if (own.every((file) => /\.[cm]?js$/.test(file))) return target.files.some((file) => file.endsWith('.map'))
  if (!target.single || !/\.(?:zip|aab)$/i.test(basename(own[0] ?? ''))) return true
  return (await check.examine({ ...target, own })).files.length > 0
}
