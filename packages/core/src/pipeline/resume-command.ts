import { relative } from 'node:path'
import { shownPath } from '../files/shown-path.ts'
import type { SymbolUpload } from '../model/plan.ts'
import type { Settings } from '../settings/settings.ts'

/** Where files are that are still to be sent. */
export interface ToSend {
  /** Absolute. */
  directory: string
  uploads: readonly SymbolUpload[]
  /** What the addresses begin with. Default: the settings' prefix. */
  prefix?: string
  /** Globs of these files, relative to the directory, where others in it have another prefix. Default: all that the settings include. */
  only?: readonly string[]
  /** They were moved there by {@link stage}, and nothing else is there. */
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
  return words.map(quoted).join(' ')
}

/** The command that sends what builds of a project kept, for a shell in the working directory. */
export function sendStagedCommand(root: string, toolVersion: string): string {
  const project = relative(process.cwd(), root)
  const words = ['npx', `symup@${toolVersion}`, 'upload', '--staged', ...(project === '' ? [] : ['--cwd', project])]
  return words.map(quoted).join(' ')
}

/** As the user would name it from the project; far away, as it is. */
function shownDirectory(directory: string, root: string): string {
  return shownPath(directory, root) || '.'
}

/** Quotes a word for a POSIX shell; what needs no quotes stays readable. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
