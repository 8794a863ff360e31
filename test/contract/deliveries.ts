import type { ChildProcess } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { beforeAll, describe, expect, it } from 'vitest'
import { useDirectory } from '../support/directory.ts'
import { isKeyCheck } from '../support/key-check.ts'
import { runToEnd } from '../support/run-to-end.ts'
import { useServer } from '../support/server.ts'

/**
 * Every adapter must fail on any error, and gets the same errors. The results must be the same, word for word. Build
 * plugins end a build, so if a command ends with 2 or 3, they end with 1.
 */
const ADAPTERS = ['cli', 'unplugin', 'mini-program', 'android', 'hvigor'] as const
type Adapter = (typeof ADAPTERS)[number]

interface Outcome {
  exitCode: number | null
  signal: NodeJS.Signals | null
  /** Problems as shown on the terminal, without the files, which differ. */
  problems: string[]
  lastLine: string
  output: string
}

/** Where a HarmonyOS build collects the map of a module. */
const MODULE = 'harmony/build/default/outputs/default/symbol/release'

/** The project, and the directory above it. */
let place: string
const above = useDirectory()
/** The intake's answer to an upload. */
let answer: 200 | 401 | 413 | 'nothing'
let onUpload: () => void
const intake = useServer((request, response) => {
  if (request.url !== '/sourcemap/upload') return response.writeHead(404).end('{}')
  if (isKeyCheck(request) && answer !== 401) return response.writeHead(400).end('{}')
  onUpload()
  if (answer === 'nothing') return
  const message = { 200: undefined, 401: 'You are unauthorized.', 413: 'app is larger than 1 MB.' }[answer]
  const error = message === undefined ? {} : { error: { code: 'X', message } }
  return response.writeHead(answer).end(JSON.stringify({ request_id: 'r', ...error }))
})
/** The project in which all adapters run, and the intake. */
export function useProject(): void {
  beforeAll(async () => {
    place = join(above, 'project')
    const write = (file: string, text: string) => writeFileSync(join(place, file), text)
    for (const directory of ['dist', 'mini', MODULE, 'empty/dist', 'empty/mini', 'empty/harmony'])
      mkdirSync(join(place, directory), { recursive: true })
    const map = { version: 3, sources: ['a.ts'], sourcesContent: ['fail()\n'], names: [], mappings: 'AAAA,IAAI' }
    write('dist/app.js', 'fail()\n')
    write('dist/app.js.map', JSON.stringify(map))
    write('mini/app.js', 'fail()\n')
    write('mini/app.json', '{"pages":[]}')
    write('mini/app.js.map', JSON.stringify(map))
    write('mapping.txt', 'com.example.Cart -> a.a:\n    1:1:void fail():3:3 -> a\n')
    write(
      join(MODULE, 'entry-sourceMaps.map'),
      JSON.stringify({ 'entry|entry|1.0.0|src/main/ets/a.ts': { ...map, sourcesContent: undefined } }),
    )
    await bundleAdapters()
  })
}

/** Bundled with all imports, because each run then starts faster than from source. */
async function bundleAdapters(): Promise<void> {
  const bundle = await rolldown({
    input: join(import.meta.dirname, 'adapter.ts'),
    platform: 'node',
    resolve: { conditionNames: ['symup-source', 'node', 'import', 'default'] },
  })
  await bundle.write({
    dir: join(place, 'adapters/dist'),
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await bundle.close()
  // Each package reads its own version from this file.
  writeFileSync(join(place, 'adapters/package.json'), '{ "version": "0.0.0" }')
}

interface Condition {
  env?: NodeJS.ProcessEnv
  answer?: typeof answer
  /** There is nothing to upload. */
  empty?: true
  /** Content of a symup.json above the project. */
  configAbove?: object
  /** Signal to send when the upload has arrived at the intake. */
  signal?: NodeJS.Signals
}

async function run(adapter: Adapter, condition: Condition): Promise<Outcome> {
  const directory = condition.empty ? join(place, 'empty') : place
  answer = condition.answer ?? 200
  let child: ChildProcess | undefined
  onUpload = () => condition.signal && child?.kill(condition.signal)
  const command = [join(place, 'adapters/dist/adapter.mjs'), adapter, directory]
  const { exitCode, signal, output } = await runToEnd(process.execPath, command, {
    cwd: directory,
    env: { PATH: process.env.PATH, SYMUP_API_KEY: 'k-of-some-length', SYMUP_ENDPOINT: intake.url, ...condition.env },
    input: JSON.stringify(hvigorRequest(directory)),
    started: (started) => (child = started),
  })
  const lines = output
    .split('\n')
    .map((line) =>
      line
        .replace(/^SymupError: +(?=[a-z-]+: )/, 'error ')
        .replace(/^(?:\[symup\] |\w+\t|SymupError: +| +(?=(?:error|warning) [a-z-]+: ))/, ''),
    )
    .filter((line) => line !== '')
  const problems = lines.flatMap((line) => /^((?:error|warning) [a-z-]+: .*)/.exec(line)?.[1] ?? [])
  return {
    exitCode,
    signal,
    problems: [...new Set(problems.map(withoutFiles))],
    // For an Android task, the line also contains what should have been sent.
    lastLine: (lines.at(-1) ?? '').trim().replace(/ \(mapping file .*\)$/, ''),
    output,
  }
}

function hvigorRequest(directory: string): object {
  return {
    directory: join(directory, 'harmony'),
    target: 'default',
    mode: 'release',
    options: { service: 'shop', version: '1.2.3', onError: 'fail' },
    ignoreConfigFile: false,
  }
}

function withoutFiles(line: string): string {
  return line
    .replaceAll(/[\w./-]*(?:app\.js(?:\.map)?|sourcemap\.zip|mapping\.txt|sourceMaps\.map)/g, 'FILE')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'INTAKE')
}

const UNUSABLE = 'Nothing will be uploaded because the configuration is invalid.'

const FAILED = 'Upload failed: 0 of 1 artifact uploaded, 1'
const NO_CA = { SYMUP_CA: '/nowhere/ca.pem' }
const NO_PROXY = { ALL_PROXY: 'socks5://127.0.0.1:1' }
const AWAY = 'http://127.0.0.1:1'
const ABOVE: Condition = { env: { SYMUP_ENDPOINT: '' }, configAbove: { endpoint: AWAY } }
const QUERY = { SYMUP_ENDPOINT: 'http://intake.example.com/?key=1' }

const CONDITIONS: [string, Condition, code: string, lastLine: string, exitCode: number][] = [
  ['an option that cannot be', { env: QUERY }, 'endpoint-invalid', UNUSABLE, 2],
  ['no key in CI', { env: { SYMUP_API_KEY: '', CI: 'true' } }, 'api-key-missing', UNUSABLE, 2],
  ['a proxy that cannot be used', { env: NO_PROXY }, 'proxy-or-ca-unusable', UNUSABLE, 2],
  ['a CA file that is not there', { env: NO_CA }, 'proxy-or-ca-unusable', UNUSABLE, 2],
  ['an intake that a config file above the project chooses', ABOVE, 'config-file-untrusted', UNUSABLE, 2],
  ['a refused key', { answer: 401 }, 'unauthorized', `${FAILED} refused.`, 1],
  ['an artifact that is too large', { answer: 413 }, 'too-large', `${FAILED} refused.`, 1],
  ['an intake that is away', { env: { SYMUP_ENDPOINT: AWAY } }, 'unreachable', `${FAILED} failed.`, 1],
  ['a signal', { answer: 'nothing', signal: 'SIGTERM' }, 'not-tried', `${FAILED} not sent.`, 143],
]

/** Conditions that every change is tested with. The slower ones are in the world tier. */
const FAST = ['no key in CI', 'a refused key']

export function describeVerdicts(tier: 'fast' | 'world'): void {
  const conditions = CONDITIONS.filter(([name]) => FAST.includes(name) === (tier === 'fast'))
  describe.each(conditions)('%s', (_, condition, code, lastLine, exitCode) => {
    it('has the same verdict for every adapter, word for word', async () => {
      const outcomes: Partial<Record<Adapter, Outcome>> = {}
      const config = join(above, 'symup.json')
      if (condition.configAbove) writeFileSync(config, JSON.stringify(condition.configAbove))
      else rmSync(config, { force: true })
      const runs = async (adapter: Adapter) => {
        outcomes[adapter] = await run(adapter, condition)
      }
      // A signal goes to a single process, so run them one after another.
      if (condition.signal) for (const adapter of ADAPTERS) await runs(adapter)
      else await Promise.all(ADAPTERS.map(runs))
      const { cli } = outcomes as Record<Adapter, Outcome>
      expect(
        cli.problems.map((line) => /[a-z-]+(?=:)/.exec(line)?.[0]),
        cli.output,
      ).toEqual([code])
      for (const adapter of ADAPTERS) {
        const outcome = outcomes[adapter] as Outcome
        expect({ adapter, problems: outcome.problems }, outcome.output).toEqual({ adapter, problems: cli.problems })
        expect({ adapter, lastLine: outcome.lastLine }, outcome.output).toEqual({ adapter, lastLine })
        expect(outcome.output, adapter).not.toMatch(/^ +at /m)
        expect(outcome.output, adapter).not.toContain('k-of-some-length')
        const endsBuild = adapter === 'unplugin' || adapter === 'mini-program'
        if (condition.signal && endsBuild) expect({ adapter, ...outcome }).toMatchObject({ signal: condition.signal })
        else expect({ adapter, exitCode: outcome.exitCode }).toEqual({ adapter, exitCode: endsBuild ? 1 : exitCode })
      }
    }, 120_000)
  })
}

export function itUploads(): void {
  it('an accepted upload has the same last line, except for time and size', async () => {
    for (const adapter of ADAPTERS) {
      const { exitCode, lastLine, output } = await run(adapter, {})
      expect({ adapter, exitCode }, output).toEqual({ adapter, exitCode: 0 })
      expect(lastLine, adapter).toMatch(/^Uploaded 1 artifact, \d+(?:\.\d)? K?i?B in \d+\.\d s\.$/)
    }
  }, 60_000)
}

export function itFindsNothing(): void {
  it('nothing to upload fails every adapter with a problem of one category', async () => {
    for (const adapter of ADAPTERS) {
      const { exitCode, output } = await run(adapter, { empty: true })
      expect(output, adapter).toMatch(
        /error (?:nothing-found|archive-without-maps|arkts-map-missing|directory-unreadable|file-unreadable|mapping-missing)/,
      )
      expect(exitCode, adapter).toBeGreaterThan(0)
    }
  }, 60_000)
}
