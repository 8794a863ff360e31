import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PROBLEMS, type ProblemCode, problem } from '../problems/problems.ts'
import { fileInRepository, publishProblems } from './publish.ts'

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

it('writes annotations only in GitHub Actions, once for the same problem in many files', () => {
  expect(publish(missing, {})).toEqual([])
  const [line, ...more] = publish(missing, { GITHUB_ACTIONS: 'true' })
  expect(more).toEqual([])
  expect(line).toMatch(/^::\w+ title=symup map-missing::dist\/a\.js, dist\/b\.js, dist\/c\.js and 1 more: /)
})

it('writes an annotation with the first of several messages and their number', () => {
  const named = (file: string, map: string) => one('error', `The file refers to ${map}, which is not there.`, file)
  const problems = [named('dist/a.js', 'a.map'), named('dist/b.js', 'b.map')]
  expect(publish(problems, { GITHUB_ACTIONS: 'true' })).toEqual([
    '::error title=symup map-missing::2 times, first dist/a.js: The file refers to a.map, which is not there. Do it.',
  ])
})

it('names a file by its path in the repository', () => {
  const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: join(cwd, '..') }
  const project = cwd.split('/').at(-1)
  expect(publish(missing.slice(0, 1), env)[0]).toContain(`,file=${project}/dist/a.js::`)
  publish(missing, { SYMUP_OUTPUT: 'quality.json', CI_PROJECT_DIR: join(cwd, '..') })
  const [first] = JSON.parse(readFileSync(join(cwd, 'quality.json'), 'utf8'))
  expect(first.location.path).toBe(`${project}/dist/a.js`)
})

it('creates the directory for the file', () => {
  expect(publish(missing, {}, 'reports/of/symup.sarif')).toEqual([])
  expect(readdirSync(join(cwd, 'reports/of'))).toEqual(['symup.sarif'])
})

it('reports a file that cannot be written', () => {
  writeFileSync(join(cwd, 'none'), '')
  expect(publish(missing, {}, 'none/there.sarif')).toEqual([
    expect.stringMatching(/^Could not write none\/there\.sarif \((?:EEXIST|ENOTDIR)\)\.$/),
  ])
})

const GITHUB = { GITHUB_ACTIONS: 'true' }
const one = (severity: 'error' | 'warning' | 'info', message: string, file?: string) => ({
  ...problem('map-missing', message, file === undefined ? {} : { file }),
  severity,
  fix: 'Do it.',
})

it('ends the message from an intake before the fix begins', () => {
  const printed = 'The intake returned HTTP 400: no room'
  expect(publish([one('error', printed)], GITHUB)).toEqual([`::error title=symup map-missing::${printed}. Do it.`])
  publish([one('error', printed)], {}, 'out.json')
  publish([one('error', printed)], {}, 'out.sarif')
  const written = (name: string) => JSON.parse(readFileSync(join(cwd, name), 'utf8'))
  expect(written('out.json')[0].description).toBe(`${printed}. Do it.`)
  expect(written('out.sarif').runs[0].results[0].message.text).toBe(`${printed}. Do it.`)
})

it.each([
  ['error', 'error', 'error', 'major'],
  ['warning', 'warning', 'warning', 'minor'],
  ['info', 'notice', 'note', 'info'],
] as const)('uses the severity terms of each tool: %s', (severity, github, sarif, gitlab) => {
  const given = [one(severity, 'Its map is not there.', 'dist/a b.js')]
  expect(publish(given, GITHUB)).toEqual([
    `::${github} title=symup map-missing,file=dist/a b.js::Its map is not there. Do it.`,
  ])
  publish(given, {}, 'out.sarif')
  const { version, runs } = JSON.parse(readFileSync(join(cwd, 'out.sarif'), 'utf8'))
  expect([version, runs[0].tool.driver.semanticVersion, runs[0].results]).toEqual([
    '2.1.0',
    '1.0.0',
    [
      {
        ruleId: 'map-missing',
        ruleIndex: 0,
        level: sarif,
        message: { text: 'Its map is not there. Do it.' },
        locations: [{ physicalLocation: { artifactLocation: { uri: 'dist/a%20b.js' } } }],
      },
    ],
  ])
  publish(given, {}, 'out.json')
  const [found] = JSON.parse(readFileSync(join(cwd, 'out.json'), 'utf8'))
  expect(found).toMatchObject({
    description: 'Its map is not there. Do it.',
    check_name: 'map-missing',
    severity: gitlab,
    location: { path: 'dist/a b.js', lines: { begin: 1 } },
  })
})

it('escapes characters that would end a workflow command', () => {
  expect(publish([one('error', '100 %: a, b\nc.', 'a:b,c%.js')], GITHUB)).toEqual([
    expect.stringMatching(/^::error title=symup map-missing,file=a%3Ab%2Cc%25\.js::100 %25: a, b\S+c\. Do it\.$/),
  ])
})

it('writes one annotation for each kind of problem, and at most ten', () => {
  const texts = (problems: Parameters<typeof publish>[0]) =>
    publish(problems, GITHUB).map((line) => line.replace(/^::\w+ title=symup [\w-]+::/, '').replace(/ Its map.*$/, ''))
  expect(texts(missing.slice(0, 3))).toEqual(['dist/a.js, dist/b.js, dist/c.js:'])
  expect(texts([one('error', 'Its map.'), one('error', 'Its map.')])).toEqual(['2 times:'])
  expect(texts([one('error', 'Its map.', 'a.js'), one('error', 'Its map.')])).toEqual(['a.js and 1 more:'])
  expect(publish([one('error', 'x'), one('warning', 'x')], GITHUB)).toHaveLength(2)
  const codes = Object.keys(PROBLEMS).slice(0, 12) as ProblemCode[]
  expect(
    publish(
      codes.map((code) => problem(code, 'x')),
      GITHUB,
    ),
  ).toHaveLength(10)
})

it('writes each rule once, a default location, and an empty list', () => {
  const given = [...missing.slice(0, 2), problem('service-missing', 'No service is set.')]
  publish(given, {}, 'out.sarif')
  const [{ tool, results }] = JSON.parse(readFileSync(join(cwd, 'out.sarif'), 'utf8')).runs
  expect(tool.driver.rules).toMatchObject([
    {
      id: 'map-missing',
      shortDescription: { text: PROBLEMS['map-missing'].cause },
      help: { text: PROBLEMS['map-missing'].fix },
      helpUri: expect.stringContaining('map-missing'),
      properties: { tags: [PROBLEMS['map-missing'].category] },
    },
    { id: 'service-missing', defaultConfiguration: { level: 'error' } },
  ])
  expect(results.map((it: { ruleIndex: number }) => it.ruleIndex)).toEqual([0, 0, 1])
  expect(results[2]).not.toHaveProperty('locations')
  publish(given, {}, 'out.json')
  const quality = JSON.parse(readFileSync(join(cwd, 'out.json'), 'utf8'))
  expect(quality[2].location.path).toBe('symup.json')
  expect(new Set(quality.map((it: { fingerprint: string }) => it.fingerprint)).size).toBe(3)
  publish([], {}, 'none.json')
  expect(readFileSync(join(cwd, 'none.json'), 'utf8')).toBe('[]\n')
})

it('writes no file unless requested, and prefers the option to the variable', () => {
  publish(missing, { SYMUP_OUTPUT: '' })
  publish(missing, { SYMUP_OUTPUT: 'b.json' }, 'a.json')
  expect(readdirSync(cwd)).toEqual(['a.json'])
})

it.each<[string, string, string | undefined, string]>([
  ['a.js', '/r/app', '/r', 'app/a.js'],
  ['/r/app/a.js', '/r/app', '/r', 'app/a.js'],
  ['../a.js', '/r/app', '/r', 'a.js'],
  ['../../a.js', '/r/app', '/r', '../../a.js'],
  ['a.js', '/r/app', undefined, 'a.js'],
  ['a.js', '/r/app', '', 'a.js'],
])('resolves the file %s of %s in the repository %s to %s', (file, directory, root, expected) => {
  expect(fileInRepository(file, directory, root)).toBe(expected)
})
