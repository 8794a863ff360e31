import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Intake, startIntake } from '@symup/intake'
import symupEsbuild, { type SymupOptions } from '@symup/unplugin/esbuild'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { symup } from '../support/command.ts'

let intake: Intake
beforeAll(async () => {
  intake = await startIntake()
})
afterAll(() => intake.close())

let project: string
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'symup-staged-'))
  writeFileSync(
    join(project, 'app.ts'),
    'export function fail(n: number) {\n  throw new RangeError(String(n))\n}\nfail(1)\n',
  )
})
afterEach(() => rmSync(project, { recursive: true }))

/** Builds without a key. @returns what was printed. */
async function builtForLater(service: string, sourcemap?: 'external', more: SymupOptions = {}): Promise<string> {
  const lines: string[] = []
  const spies = (['info', 'warn', 'error'] as const).map((method) =>
    vi.spyOn(console, method).mockImplementation((line) => void lines.push(line)),
  )
  try {
    const options = { service, version: '1.2.3', upload: 'later', ignoreConfigFile: true, ...more } as const
    await build({
      absWorkingDir: project,
      entryPoints: ['app.ts'],
      bundle: true,
      outdir: 'dist',
      publicPath: '/shop/',
      logLevel: 'silent',
      ...(sourcemap && { sourcemap }),
      plugins: [symupEsbuild(options)],
    })
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return lines.join('\n')
}

const staged = () => join(project, 'node_modules/.cache/symup/staged')
const send = (...more: string[]) =>
  symup(['upload', '--staged', '--json', ...more], {
    cwd: project,
    env: { SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url },
  })
const uploadsOf = async (service: string) => (await intake.uploads()).filter((it) => it.service === service)

describe("upload: 'later'", () => {
  it('keeps what a build without a key made, and the command sends it once', async () => {
    const said = await builtForLater('later-own')
    expect(said).toMatch(/Kept 1 artifact, .* to send later: npx symup@\S+ upload --staged --cwd \S+$/)
    expect(readdirSync(join(project, 'dist'))).toEqual(['app.js'])
    expect(await uploadsOf('later-own')).toEqual([])

    const { exitCode, stdout } = await send()
    expect(exitCode, stdout).toBe(0)
    expect(JSON.parse(stdout).totals).toMatchObject({ accepted: 1 })
    expect(await uploadsOf('later-own')).toMatchObject([{ version: '1.2.3', event: { minified_url: '/shop/app.js' } }])
    expect(readdirSync(staged())).toEqual([])
    const again = await send()
    expect(again.exitCode).toBe(3)
    expect(JSON.parse(again.stdout).problems).toMatchObject([{ code: 'nothing-found' }])
  })

  it("leaves the user's own maps in the output and sends copies; a refused key keeps them", async () => {
    const said = await builtForLater('later-kept', 'external')
    expect(said).toContain('1 source map of this build stays in the output')
    expect(readdirSync(join(project, 'dist'))).toEqual(['app.js', 'app.js.map'])
    const refused = await symup(['upload', '--staged', '--no-config-file'], {
      cwd: project,
      env: { SYMUP_API_KEY: 'another-key', SYMUP_ENDPOINT: intake.url },
    })
    expect(refused.exitCode).toBe(1)
    expect((await send()).exitCode).toBe(0)
    expect(await uploadsOf('later-kept')).toHaveLength(1)
    expect(existsSync(join(project, 'dist/app.js.map'))).toBe(true)
  })

  it('sends nothing from a directory whose mark says no release, and no mark says where to send', async () => {
    await builtForLater('later-changed')
    const [release = ''] = readdirSync(staged())
    const mark = join(staged(), release, 'dist/.symup-staged')
    const honest = JSON.parse(readFileSync(mark, 'utf8'))
    expect(Object.keys(honest)).toEqual(['about', 'service', 'version', 'minifiedPathPrefix', 'projectPath'])
    for (const [index, text] of ['nonsense', '{"service":{}}', 'null'].entries()) {
      mkdirSync(join(staged(), release, `${index}`))
      writeFileSync(join(staged(), release, `${index}`, '.symup-staged'), text)
    }
    rmSync(mark)
    expect((await send('--dry-run')).exitCode).toBe(3)
  })
})

it('in a task of Turborepo a missing key is explained', async () => {
  vi.stubEnv('TURBO_HASH', 'abc')
  vi.stubEnv('CI', '')
  try {
    const said = await builtForLater('later-turbo', undefined, { upload: 'now', apiKey: undefined as never })
    expect(said).toContain("add SYMUP_API_KEY to the task's passThroughEnv")
  } finally {
    vi.unstubAllEnvs()
  }
})
