import { relative } from 'node:path'
import type { Line } from '../model/line.ts'
import type { Plan } from '../model/plan.ts'
import type { Report } from '../model/report.ts'
import type { Settings } from '../settings/settings.ts'
import type { BuildOutput } from './outputs.ts'

/**
 * The commands that send what this build could not, for the terminal. None when everything arrived.
 * The key is never part of it. Warnings, so that they go to the same stream as the last line and stand before it.
 */
export function resumeCommands(
  outputs: readonly BuildOutput[],
  plan: Plan,
  report: Report,
  settings: Settings,
  root: string,
): Line[] {
  const left = plan.uploads.filter(
    (_, index) => !['accepted', 'already-there'].includes(report.outcomes[index]?.status ?? ''),
  )
  const [event] = left.map((upload) => upload.event)
  const projectPath = event && 'project_path' in event ? event.project_path : ''
  const paths = left.flatMap(({ parts }) => parts.map(({ path }) => path))
  const directories = outputs.map(({ directory }) => directory)
  const concerned = directories.filter((directory) => paths.some((path) => isBelow(path, directory)))
  if (concerned.length === 0) return []
  const commands = concerned.map((directory) => {
    const words = ['symup', 'web', 'upload', relative(root, directory) || '.']
    words.push('--service', settings.service.value, '--release-version', settings.version.value)
    if (settings.minifiedPathPrefix) words.push('--minified-path-prefix', settings.minifiedPathPrefix.value)
    if (projectPath) words.push('--project-path', projectPath)
    if (settings.endpoint.from.kind === 'option') words.push('--endpoint', settings.endpoint.value)
    for (const flag of ['include', 'exclude'] as const) {
      const { value, from } = settings[flag] ?? {}
      if (value !== undefined && from?.kind === 'option')
        words.push(...[value].flat().flatMap((glob) => [`--${flag}`, glob]))
    }
    words.push('--resume')
    return words.map(quoted).join(' ')
  })
  const key = settings.apiKey?.from.kind === 'option' ? ', with SYMUP_API_KEY in the environment' : ''
  return [
    { severity: 'warning', text: `The maps stay where they are. To send what is missing${key}:` },
    ...commands.map((command): Line => ({ severity: 'warning', text: `  ${command}` })),
  ]
}

function isBelow(path: string, directory: string): boolean {
  const below = relative(directory, path)
  return below !== '' && !below.startsWith('..')
}

/** Quotes a word for a POSIX shell; what needs no quotes stays readable. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
