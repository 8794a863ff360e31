import { dirname, relative } from 'node:path'
import { nameBelow } from '../files/name-below.ts'
import { shownPath } from '../files/shown-path.ts'
import { addressOf, kindOf, scriptOf } from '../kinds/index.ts'
import type { Line } from '../model/line.ts'
import type { SymbolUpload } from '../model/plan.ts'
import type { Settings } from '../settings/settings.ts'
import { shellWord } from '../text/shell-word.ts'
import { t } from '../text.ts'
import { isOf } from './map-fates.ts'
import type { BuildOutput, RunState } from './outputs.ts'
import { prefixOf } from './staging.ts'

export interface ToSend {
  /** The absolute path of the directory. */
  directory: string
  uploads: readonly SymbolUpload[]
  /** The prefix for the addresses of the files. Default: the prefix from the settings. */
  prefix?: string
  /**
   * Globs that match the files to send, relative to the directory. Globs are needed if other files in the directory have a different
   * prefix. By default, all included files are sent.
   */
  only?: readonly string[]
  /** Whether the files were staged. A staging directory contains no other files. */
  isStaged: boolean
}

export type ResumeContext = Omit<RunState, 'settings' | 'outputs' | 'artifacts'> & { settings: Settings }

/**
 * Returns the command that sends the missing files, for a shell in the working directory. The command uses npx, because projects that use
 * only a plugin do not have the `symup` command installed. The command never contains the key.
 */
export function resumeCommand(
  { directory, uploads, prefix, only, isStaged }: ToSend,
  { settings, root, workingDirectory = process.cwd(), git = false, toolVersion }: ResumeContext,
): string {
  const words = ['npx', `symup@${toolVersion}`, 'web', 'upload', shownPath(directory, root) || '.']
  // symup finds the config file and the ledger in the project directory, so the command must specify that directory.
  const project = relative(workingDirectory, root)
  if (project !== '') words.push('--cwd', project)
  // The server output may have its own service name, so use the name from the upload.
  words.push(
    '--service',
    uploads[0]?.event.service ?? settings.service.value,
    '--release-version',
    settings.version.value,
  )
  const addresses = prefix ?? settings.minifiedPathPrefix?.value
  if (addresses !== undefined && addresses !== '') words.push('--minified-path-prefix', addresses)
  words.push(...uploads.slice(0, 1).flatMap(flagsOf))
  for (const flag of ['endpoint', 'ca'] as const) {
    const setting = settings[flag]
    if (setting?.from.kind === 'option') words.push(`--${flag}`, setting.value)
  }
  if (!git) words.push('--disable-git')
  if (isStaged) words.push('--delete-after-upload')
  else {
    for (const glob of only ?? []) words.push('--include', glob)
    for (const flag of ['include', 'exclude'] as const) {
      if (flag === 'include' && only) continue
      const { value, from } = settings[flag] ?? {}
      if (value !== undefined && from?.kind === 'option')
        words.push(...[value].flat().flatMap((glob) => [`--${flag}`, glob]))
    }
    words.push('--resume')
  }
  return words.map(shellWord).join(' ')
}

/** Returns the flags that make the command for the artifact's type collect the same artifact again. */
function flagsOf({ event }: SymbolUpload): string[] {
  const { command, flagsOf: find } = kindOf(event) ?? {}
  return Object.entries(find?.(event) ?? {}).flatMap(([name, value]) =>
    value === '' ? [] : [command?.flags?.[name]?.flags.split(' ', 1)[0] ?? '', value],
  )
}

/** Groups the remaining files of each output by prefix. Server output and some framework files may have their own prefix. */
export function inPlace(outputs: readonly BuildOutput[], left: readonly SymbolUpload[], usual: string): ToSend[] {
  return outputs.flatMap((output) => {
    const { directory } = output
    const byPrefix = new Map<string, { uploads: SymbolUpload[]; files: string[] }>()
    for (const upload of left) {
      if (!isOf(output, upload)) continue
      const script = scriptOf(upload)
      const file = script && nameBelow(directory, script.path)
      const address = addressOf(upload.event)
      const prefix = file !== undefined && address !== undefined ? prefixOf(address, file, usual) : usual
      const group = byPrefix.get(prefix) ?? { uploads: [], files: [] }
      byPrefix.set(prefix, group)
      group.uploads.push(upload)
      if (file !== undefined) group.files.push(file)
    }
    return [...byPrefix].map(([prefix, { uploads, files }]): ToSend => {
      const others = [...byPrefix].flatMap(([other, group]) => (other === prefix ? [] : group.files))
      const only = others.length === 0 ? undefined : globsFor(files, others)
      return { directory, uploads, prefix, isStaged: false, ...(only && { only }) }
    })
  })
}

/**
 * Returns globs that match the given files and no others. A top-level directory that contains no other files is represented by a single
 * glob.
 */
function globsFor(files: readonly string[], others: readonly string[]): string[] {
  const top = (file: string) => file.replace(/\/.*/, '/**')
  const taken = new Set(others.map(top))
  return [...new Set(files.map((file) => (taken.has(top(file)) ? file : top(file))))]
}

/** Returns the lines with the commands. The lines are warnings, so they are written to the same stream as the last line. */
export function resumeLines(toSend: readonly ToSend[], context: ResumeContext): Line[] {
  const { settings, root } = context
  const staged = toSend.filter(({ isStaged }) => isStaged)
  const [first] = staged
  const location =
    first === undefined
      ? t`The source maps are still in the output.`
      : moved(shownPath(dirname(first.directory), root), staged.length === toSend.length)
  const next =
    settings.apiKey?.from.kind === 'option'
      ? t`To send the missing files, set SYMUP_API_KEY in the environment and run:`
      : t`To send the missing files, run:`
  return [
    { severity: 'warning', text: t`${location} ${next}` },
    ...toSend.map((one): Line => ({ severity: 'warning', text: `  ${resumeCommand(one, context)}` })),
  ]
}

function moved(place: string, areAll: boolean): string {
  return areAll
    ? t`The source maps that were not sent were moved to ${place}.`
    : t`Some of the source maps that were not sent were moved to ${place}. The others are still in the output.`
}

/** Returns the command that uploads a project's staged artifacts, for a shell in the working directory. */
export function sendStagedCommand(root: string, toolVersion: string): string {
  const project = relative(process.cwd(), root)
  const words = ['npx', `symup@${toolVersion}`, 'upload', '--staged', ...(project === '' ? [] : ['--cwd', project])]
  return words.map(shellWord).join(' ')
}
