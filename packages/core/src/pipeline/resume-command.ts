import { dirname, relative } from 'node:path'
import { nameBelow } from '../files/name-below.ts'
import { shownPath } from '../files/shown-path.ts'
import { scriptOf } from '../kinds/index.ts'
import type { Line } from '../model/line.ts'
import type { SymbolUpload } from '../model/plan.ts'
import type { Settings } from '../settings/settings.ts'
import { shellWord } from '../text/shell-word.ts'
import { t } from '../text.ts'
import { isOf } from './map-fates.ts'
import type { BuildOutput } from './outputs.ts'
import { prefixOf } from './staging.ts'

/** Where files are that are still to be sent. */
export interface ToSend {
  /** Absolute. */
  directory: string
  uploads: readonly SymbolUpload[]
  /** What the addresses begin with. Default: the settings' prefix. */
  prefix?: string
  /** Globs of these files, relative to the directory, where others in it have another prefix. Default: all that the settings include. */
  only?: readonly string[]
  /** They were moved there by staging, and nothing else is there. */
  isStaged: boolean
}

export interface ResumeContext {
  settings: Settings
  /** Project directory. */
  root: string
  /** Where the user will type the command. Default: the working directory. */
  workingDirectory?: string
  /** Whether the uploads say which commit was built. */
  git?: boolean
  /** Whether the user has a command to repeat, and needs none of ours. */
  isCommand?: boolean
  /** Nothing was to be sent yet: one command sends it all. */
  later?: boolean
  /** Version of the command that npx is to run. */
  toolVersion: string
}

/**
 * The command that sends the rest, for a shell in the working directory. With the plugin alone there is no `symup` to run, so npx fetches it.
 * The key is never part of it.
 */
export function resumeCommand(
  { directory, uploads, prefix, only, isStaged }: ToSend,
  { settings, root, workingDirectory = process.cwd(), git = true, toolVersion }: ResumeContext,
): string {
  const words = ['npx', `symup@${toolVersion}`, 'web', 'upload', shownDirectory(directory, root)]
  // The config file and the ledger are the project's.
  const project = relative(workingDirectory, root)
  if (project !== '') words.push('--cwd', project)
  // A server may have a service of its own.
  words.push(
    '--service',
    uploads[0]?.event.service ?? settings.service.value,
    '--release-version',
    settings.version.value,
  )
  const addresses = prefix ?? settings.minifiedPathPrefix?.value
  if (addresses !== undefined && addresses !== '') words.push('--minified-path-prefix', addresses)
  const [event] = uploads.map((upload) => upload.event)
  const projectPath = event && 'project_path' in event ? event.project_path : ''
  if (projectPath) words.push('--project-path', projectPath)
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

/** What is to be sent from where the build wrote it, by what the addresses begin with: a server, and some files of a framework, have their own. */
export function inPlace(outputs: readonly BuildOutput[], left: readonly SymbolUpload[], usual: string): ToSend[] {
  return outputs.flatMap((output) => {
    const { directory } = output
    const byPrefix = new Map<string, { uploads: SymbolUpload[]; files: string[] }>()
    for (const upload of left) {
      const { event } = upload
      if (!isOf(output, upload)) continue
      const script = scriptOf(upload)
      const file = script && nameBelow(directory, script.path)
      const prefix = file !== undefined && 'minified_url' in event ? prefixOf(event.minified_url, file, usual) : usual
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

/** Globs that match some files and not the others: their directories at the top where these hold no others. */
function globsFor(files: readonly string[], others: readonly string[]): string[] {
  const top = (file: string) => file.replace(/\/.*/, '/**')
  const taken = new Set(others.map(top))
  return [...new Set(files.map((file) => (taken.has(top(file)) ? file : top(file))))]
}

/** Warnings, so that they go to the same stream as the last line and stand before it. */
export function resumeLines(toSend: readonly ToSend[], context: ResumeContext): Line[] {
  const { settings, root } = context
  const staged = toSend.filter(({ isStaged }) => isStaged)
  const said =
    staged.length === 0
      ? t`The source maps stay where they are.`
      : t`Source maps that are still to be sent were moved to ${shownPath(dirname((staged[0] as ToSend).directory), root)}${staged.length < toSend.length ? t`; others stay where they are` : ''}.`
  const key = settings.apiKey?.from.kind === 'option' ? t`, with SYMUP_API_KEY in the environment` : ''
  return [
    { severity: 'warning', text: t`${said} To send what is missing${key}:` },
    ...toSend.map((one): Line => ({ severity: 'warning', text: `  ${resumeCommand(one, context)}` })),
  ]
}

/** The command that sends what builds of a project kept, for a shell in the working directory. */
export function sendStagedCommand(root: string, toolVersion: string): string {
  const project = relative(process.cwd(), root)
  const words = ['npx', `symup@${toolVersion}`, 'upload', '--staged', ...(project === '' ? [] : ['--cwd', project])]
  return words.map(shellWord).join(' ')
}

/** As the user would name it from the project; far away, as it is. */
function shownDirectory(directory: string, root: string): string {
  return shownPath(directory, root) || '.'
}
