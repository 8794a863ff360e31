import { relative } from 'node:path'
import type { Line, Plan, Report, Settings } from '@symup/core'
import type { BuildOutput } from './session.ts'

/**
 * The commands that send what this build could not, for the terminal. None when everything arrived.
 * The key is never part of it. Warnings, so that they go to the same stream as the last line and stand before it.
 */
export function resumeCommands(
  outputs: readonly BuildOutput[],
  plan: Plan,
  report: Report,
  settings: Settings,
  { root, projectPath }: { root: string; projectPath: string | undefined },
): Line[] {
  const left = plan.uploads.filter(
    (_, index) => !['accepted', 'already-there'].includes(report.outcomes[index]?.status ?? ''),
  )
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
