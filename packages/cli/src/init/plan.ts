import { CONFIG_SCHEMA_URL, inferVersion } from '@symup/core'
import { createTwoFilesPatch } from 'diff'
import { paint } from '../terminal.ts'
import { withValue } from './edit-json.ts'
import { type Project, serviceOf } from './project.ts'
import { type Change, changeOf, type Setup } from './tool.ts'

export interface Answers {
  service?: string | undefined
  endpoint?: string | undefined
  minifiedPathPrefix?: string | undefined
}

export const CONFIG_FILE = 'symup.json'

/** Returns the change to `symup.json`. The file is committed, so it never contains the API key. */
export function configChange(project: Project, setup: Setup, answers: Answers): Change[] {
  const config = {
    $schema: CONFIG_SCHEMA_URL,
    service: answers.service ?? (setup.knowsRelease ? 'auto' : serviceOf(project)),
    version: 'auto',
    endpoint: answers.endpoint,
    minifiedPathPrefix: answers.minifiedPathPrefix ?? setup.minifiedPathPrefix,
  }
  const after = `${JSON.stringify(config, null, 2)}\n`
  return changeOf(CONFIG_FILE, project.read(CONFIG_FILE), after)
}

/** Adds a version to package.json if `version: 'auto'` cannot determine one. */
export function withVersion(project: Project, { knowsRelease = false }: Setup, changes: readonly Change[]): Change[] {
  const path = 'package.json'
  const before = project.read(path)
  if (knowsRelease || before === undefined || inferVersion(project.cwd, process.env) !== undefined) return [...changes]
  const after = withValue(changes.find((it) => it.path === path)?.after ?? before, ['version'], FIRST_VERSION)
  return after === undefined ? [...changes] : [...changes.filter((it) => it.path !== path), { path, before, after }]
}

const FIRST_VERSION = '0.1.0'

export function renderChanges(changes: readonly Change[]): string {
  return changes
    .map(({ path, before, after }) => {
      const from = before === undefined ? '/dev/null' : path
      const patch = createTwoFilesPatch(from, path, before ?? '', after, undefined, undefined, { context: 2 })
      const lines = patch
        .trimEnd()
        .split('\n')
        .filter((line) => !/^(?:={60,}$|Index: )/.test(line))
      return lines.map((line) => paint(styleOf(line), line, process.stdout)).join('\n')
    })
    .join('\n')
}

function styleOf(line: string): Parameters<typeof paint>[0] {
  if (/^(?:\+\+\+|---)/.test(line)) return 'bold'
  if (line.startsWith('@@')) return 'cyan'
  return line.startsWith('+') ? 'green' : line.startsWith('-') ? 'red' : 'reset'
}
