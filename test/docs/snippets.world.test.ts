import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROOT, sourceArguments } from '../support/build-fixture.ts'
import { buildPackages } from '../support/build-package.ts'
import { useDirectory } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'
import { makePrograms, makeProject, withMiniProgram, withModules } from './scratch-project.ts'
import { CANNOT_RUN, helpExamples, RUN_BY_TESTS, type Snippet, snippets } from './snippets.ts'

// Runs every fenced block in the documentation and every example in the command's help as printed. The language after the fence decides
// how: `sh` in a shell; `ts` and `js` with the bundler whose plugin they import, otherwise as a program; `yaml` as a seed for the intake.

const KEY = 'dev-api-key'
/** Addresses and values that readers of the documentation fill in. */
const READERS: readonly (readonly [RegExp, (url: string) => string])[] = [
  [/http:\/\/127\.0\.0\.1:8642/g, (url) => url],
  [/(SYMUP_API_KEY=)…/g, () => `$1${KEY}`],
]

const place = useDirectory()
let bin: string
let project: string
const intake = useIntake()
beforeAll(async () => {
  await buildPackages()
  bin = makePrograms(place)
  project = await makeProject(place)
})

function copyProject(): string {
  const copy = mkdtempSync(join(place, 'copy-'))
  cpSync(project, copy, { recursive: true })
  return copy
}

const all = snippets()
const here = all.filter(({ id }) => !Object.hasOwn(RUN_BY_TESTS, id) && !Object.hasOwn(CANNOT_RUN, id))

describe('snippets in the documentation', () => {
  it('runs every snippet or lists it as a known exception, and the list does not grow', () => {
    const ids = all.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([...Object.keys(RUN_BY_TESTS), ...Object.keys(CANNOT_RUN)]))
    for (const file of Object.values(RUN_BY_TESTS)) expect(existsSync(join(ROOT, file)), file).toBe(true)
    expect(Object.keys(CANNOT_RUN)).toHaveLength(8)
    expect(here.length).toBeGreaterThanOrEqual(15)
  })

  it.each(here.map((snippet) => [snippet.id, snippet] as const))(
    'runs the snippet %s',
    { timeout: 300_000 },
    async (id, snippet) => {
      const cwd = copyProject()
      if (id.startsWith('packages/mini-program/')) await withMiniProgram(cwd)
      const text = READERS.reduce((before, [from, to]) => before.replace(from, to(intake.url)), snippet.text)
      const result = await RUNNERS[snippet.language]?.({ ...snippet, text }, cwd)
      expect(result?.exitCode, result?.output).toBe(0)
    },
  )
})

describe('examples in the help', () => {
  it.each(helpExamples())('runs the example %s', { timeout: 60_000 }, async (example) => {
    const cwd = copyProject()
    if (example.includes('mini-program') || example.includes('sourcemap.zip')) await withMiniProgram(cwd)
    for (const line of BEFORE.filter(([part]) => example.includes(part)).map(([, command]) => command))
      expect(await shell(line, cwd, SETTINGS), line).toMatchObject({ exitCode: 0 })
    // Without a terminal, init needs --yes.
    const given = example === 'symup init' ? 'symup init --yes' : example
    const line = READERS.reduce((before, [from, to]) => before.replace(from, to(intake.url)), given)
    if (/^symup intake(?! \w)/.test(example)) expect(await served(line, cwd)).toMatch(/http:\/\/127\.0\.0\.1:\d+/)
    else {
      const { exitCode, output } = await shell(line, cwd, SETTINGS)
      expect(exitCode, output).toBe(0)
    }
  })
})

/** Help examples show only the special flags. A project has the other settings in its `symup.json`. */
const SETTINGS = { SYMUP_SERVICE: 'shop', SYMUP_VERSION: '1.2.3', SYMUP_MINIFIED_PATH_PREFIX: '/shop' }

const RELEASE = '--service shop --release-version 1.2.3'
const EVENT_IS_KNOWN = `symup web upload dist ${RELEASE} --minified-path-prefix https://cdn.example.com/shop`
/** The files that an example requires. */
const BEFORE: readonly (readonly [part: string, command: string])[] = [
  ['sourcemap.zip', 'symup mini-program pack dist -o made.zip && mv made.zip sourcemap.zip'],
  ['from-wechat.zip', 'symup mini-program pack dist -o made.zip && mv made.zip from-wechat.zip'],
  ['explain event.json', EVENT_IS_KNOWN],
  ['appDsyms.zip', '(cd build/Shop.xcarchive/dSYMs && zip -qr ../../../appDsyms.zip .)'],
  ['upload --staged', 'mkdir -p "$SYMUP_CACHE_DIR"/staged/shop@1 && cp -r dist "$SYMUP_CACHE_DIR"/staged/shop@1'],
  [
    'upload --staged',
    `echo '{"type":"js_sourcemap","service":"shop","version":"1","minifiedPathPrefix":"/","path":".","flags":{}}' > "$SYMUP_CACHE_DIR"/staged/shop@1/dist/.symup-staged`,
  ],
  ['intake gc', 'mkdir intake-data && touch intake-data/intake.db'],
  ['./moving', 'mkdir intake-data && touch intake-data/intake.db'],
  ['intake import', 'symup intake export ./moving --data ./intake-data'],
]

type Result = { exitCode: number | null; output: string }
type Runner = (snippet: Snippet, cwd: string) => Promise<Result>

const RUNNERS: Readonly<Record<string, Runner>> = {
  sh: ({ id, text }, cwd) => shell([AROUND[id]?.[0] ?? '', text].join('\n'), cwd),
  yaml({ text }, cwd) {
    writeFileSync(join(cwd, 'seed.yaml'), text)
    return served('symup intake --port 0 --seed seed.yaml', cwd).then((output) => ({ exitCode: 0, output }))
  },
  js: script,
  ts: script,
}

/** Each bundler's config file, and the arguments that build with it. */
const BUILDS: Readonly<Record<string, readonly [config: string, ...args: string[]]>> = {
  vite: ['vite.config.ts', 'node_modules/vite/bin/vite.js', 'build'],
  webpack: ['webpack.config.cjs', 'build-with-webpack.cjs'],
}
const WEBPACK = `const webpack = require('webpack')
webpack({ ...require('./webpack.config.cjs'), entry: './src/main.js' }, (error, stats) => {
  if (error || stats.hasErrors()) throw error ?? new Error(stats.toString())
})
`
/** The code around a fragment in a reader's program. */
const AROUND: Readonly<Record<string, readonly [before: string, after?: string]>> = {
  'README.md#4': ["import { startIntake } from '@symup/intake'\n", 'await intake.close()'],
  'docs/still-minified.md#1': [EVENT_IS_KNOWN],
  'packages/mini-program/README.md#3': [
    "import { pack } from '@symup/mini-program'\nconst project = { appid: 'wx0123456789abcdef' }\nconst ci = { getDevSourceMap: ({ sourceMapSavePath: output }) => pack('dist', { output }) }\n",
    'process.exitCode = exitCode',
  ],
  'packages/symbolicate/README.md#1': ["const stack = 'RangeError: x\\n    at https://h/shop/app.js:1:45'\n"],
  'packages/symbolicate/README.md#2': ["const stack = 'java.lang.Error: x\\n\\tat a.a.a(SourceFile:1)'\n"],
  'packages/symbolicate/README.md#3': ["const stack = 'java.lang.Error: x\\n\\tat a.a.a(SourceFile:1)'\n"],
}

async function script({ id, text }: Snippet, cwd: string): Promise<Result> {
  withModules(cwd)
  const [, bundler = ''] = /['"]@symup\/unplugin\/(\w+)['"]/.exec(text) ?? []
  const build = /export default|module\.exports/.test(text) ? BUILDS[bundler] : undefined
  if (build) {
    const [config, ...args] = build
    writeFileSync(join(cwd, config), text)
    writeFileSync(join(cwd, 'build-with-webpack.cjs'), WEBPACK)
    const built = await run(process.execPath, args, cwd)
    expect(built.output).toMatch(/Uploaded \d+ artifacts?/)
    return built
  }
  const [head = '', tail = ''] = AROUND[id] ?? []
  // The documentation contains the public keys, so the watch for leaked keys skips files with this name.
  writeFileSync(join(cwd, 'planted-program.ts'), `${head}${text}\n${tail}\n`)
  return run(process.execPath, [...sourceArguments(), 'planted-program.ts'], cwd)
}

const shell = (text: string, cwd: string, env: NodeJS.ProcessEnv = {}) => run('bash', ['-euc', text], cwd, env)

/** The first output of a server, which is then stopped. */
async function served(line: string, cwd: string): Promise<string> {
  const child = start('bash', ['-euc', `exec ${line}`], cwd)
  let output = ''
  await new Promise<void>((done, fail) => {
    child.stdout.on('data', (text: Buffer) => {
      output += text
      if (/https?:\/\/\S+/.test(output)) done()
    })
    child.stderr.on('data', (text: Buffer) => (output += text))
    child.once('close', (exitCode) => fail(new Error(`It ended with ${exitCode}: ${output}`)))
  })
  child.removeAllListeners('close')
  const closed = new Promise((done) => child.once('close', done))
  child.kill()
  await closed
  return output
}

function run(program: string, args: string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Result> {
  return new Promise((done, fail) => {
    const child = start(program, args, cwd, env)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text))
    child.once('error', fail)
    child.once('close', (exitCode) => done({ exitCode, output }))
  })
}

function start(program: string, args: string[], cwd: string, settings: NodeJS.ProcessEnv = {}) {
  const env = {
    ...{ PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: cwd, SYMUP_CACHE_DIR: join(cwd, 'cache') },
    ...{ SYMUP_API_KEY: KEY, SYMUP_APP_KEY: 'dev-app-key', SYMUP_ENDPOINT: intake.url },
    ...settings,
  }
  return spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
}
