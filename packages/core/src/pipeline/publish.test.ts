import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { problem } from '../problems/problems.ts'
import { publishProblems } from './publish.ts'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'symup-publish-'))
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

const missing = ['a', 'b', 'c', 'd'].map((name) =>
  problem('map-missing', 'Its map is not there.', { file: `dist/${name}.js` }),
)

function publish(problems: Parameters<typeof publishProblems>[0], env: NodeJS.ProcessEnv, output?: string): string[] {
  const lines: string[] = []
  const take = (line: string) => lines.push(line)
  publishProblems(problems, { cwd, toolVersion: '1.0.0', env, output, print: take, warn: ({ text }) => take(text) })
  return lines
}

it('annotates in GitHub Actions only, once for the same problem of many files', () => {
  expect(publish(missing, {})).toEqual([])
  const [line, ...more] = publish(missing, { GITHUB_ACTIONS: 'true' })
  expect(more).toEqual([])
  expect(line).toMatch(/^::\w+ title=symup map-missing::dist\/a\.js, dist\/b\.js, dist\/c\.js and 1 more: /)
})

it('names a file by its place in the repository', () => {
  const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: join(cwd, '..') }
  const project = cwd.split('/').at(-1)
  expect(publish(missing.slice(0, 1), env)[0]).toContain(`,file=${project}/dist/a.js::`)
  publish(missing, { SYMUP_OUTPUT: 'quality.json', CI_PROJECT_DIR: join(cwd, '..') })
  const [first] = JSON.parse(readFileSync(join(cwd, 'quality.json'), 'utf8'))
  expect(first.location.path).toBe(`${project}/dist/a.js`)
})

it('tells when the file cannot be written', () => {
  expect(publish(missing, {}, 'none/there.sarif')).toEqual(['none/there.sarif could not be written (ENOENT).'])
})
