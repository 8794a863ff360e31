import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { useDirectory, writeIn } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'
import { runSymup } from '../support/run-symup.ts'
import { startServer } from '../support/server.ts'

const place = useDirectory()
const intake = useIntake()
beforeAll(() => {
  mkdirSync(join(place, 'dist'))
  writeFileSync(join(place, 'dist/a.js'), 'throw 1\n//# sourceMappingURL=a.js.map\n')
  writeFileSync(
    join(place, 'dist/a.js.map'),
    '{"version":3,"sources":["a.ts"],"sourcesContent":["throw 1"],"names":[],"mappings":"AAAA"}',
  )
  writeFileSync(join(place, 'dist/b.js'), 'throw 2\n//# sourceMappingURL=gone.js.map\n')
})

const NAMES = ['--service', 'shop', '--release-version', '1', '--no-config-file']
const uploading = (extra: string[], env: NodeJS.ProcessEnv = {}) =>
  runSymup(['web', 'upload', 'dist', ...NAMES, '--minified-path-prefix', '/', '--disable-git', ...extra], {
    cwd: place,
    env: { SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url, ...env },
  })

it.each([
  ['ios', 'upload', 'dist'],
  ['check', 'app.aab'],
])('exits with 2 and one document if no directory for temporary files exists (%s)', async (...args) => {
  writeFileSync(join(place, 'app.aab'), 'PK')
  const gone = join(place, 'gone')
  const env = { SYMUP_API_KEY: 'dev-api-key', TMPDIR: gone, TEMP: gone, TMP: gone }
  const { exitCode, stdout, stderr } = await runSymup([...args, '--no-config-file', '--json'], { cwd: place, env })
  expect(exitCode).toBe(2)
  expect(JSON.parse(stdout).problems).toMatchObject([{ code: 'system-refusal' }])
  expect(stderr).toContain('set TMPDIR (TEMP on Windows) to another directory')
})

it('leaves no temporary file if explain --dir gets a missing directory', async () => {
  const temporary = mkdtempSync(join(place, 'temporary-'))
  const env = { TMPDIR: temporary, TEMP: temporary, TMP: temporary }
  const input = 'at x (https://h/a.js:1:1)'
  const args = ['explain', '-', '--no-config-file', '--dir', 'nowhere']
  const { exitCode, stdout, stderr } = await runSymup(args, { cwd: place, env, input })
  expect([exitCode, stdout]).toEqual([2, ''])
  expect(stderr).toContain('error directory-unreadable: nowhere: The file or directory does not exist.')
  expect(readdirSync(temporary)).toEqual([])
})

describe('init in a monorepo', () => {
  const files = {
    'package.json': '{ "name": "root", "workspaces": ["apps/*"], "scripts": { "build": "turbo build" } }',
    'turbo.json': '{}',
    '.git/HEAD': '',
    'apps/shop/package.json': '{ "name": "shop", "version": "1.0.0", "scripts": { "build": "vite build" } }',
    'apps/shop/vite.config.js': 'export default { plugins: [] }\n',
  }
  const init = (name: string, more: Record<string, string>, ...args: string[]) => {
    const cwd = join(place, name)
    for (const [path, text] of Object.entries({ ...files, ...more })) writeIn(cwd, path, text)
    return runSymup(['init', ...(args.includes('--dry-run') ? [] : ['--yes']), ...args], { cwd })
  }

  it('exits with 0 after setting up the only app, and explains where the packages and the key belong', async () => {
    const { exitCode, stdout } = await init('one', {})
    expect(exitCode).toBe(0)
    expect(stdout).toContain('Found: Vite (apps/shop: vite.config.js)')
    expect(stdout).toContain('+++ apps/shop/symup.json')
    expect(stdout).toContain('Wrote apps/shop/symup.json, apps/shop/vite.config.js.')
    expect(stdout).toMatch(/ 1\. cd apps\/shop\n {2}2\. npm install --save-dev @symup\/unplugin\n/)
    expect(stdout).toContain('In turbo.json: add "passThroughEnv": ["SYMUP_API_KEY"] to the build task')
    expect(readFileSync(join(place, 'one/apps/shop/vite.config.js'), 'utf8')).toContain('plugins: [symup()]')
    expect(existsSync(join(place, 'one/symup.json'))).toBe(false)
  })

  const second = { 'apps/docs/package.json': '{}', 'apps/docs/astro.config.mjs': '' }

  it('exits with 2 and names the apps if there are several', async () => {
    const { exitCode, stdout, stderr } = await init('two', second)
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain('command-invalid: This directory is the root of a monorepo with 2 apps')
    expect(stderr).toContain('Run symup init --cwd <app> for one of these apps: apps/docs (Astro), apps/shop (Vite).')
  })

  it('exits with 2 without changes if no package is built by a known tool', async () => {
    const library = { 'package.json': '{ "workspaces": ["libs/*"] }', 'libs/a/package.json': '{}' }
    const { exitCode, stdout, stderr } = await init('none', library, '--dry-run')
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain(
      'This directory is the root of a monorepo, but init does not support the tools that build its packages.',
    )
    expect((await init('none', library, '--dry-run', '--tool', 'other')).exitCode).toBe(0)
  })

  it('exits with 0 for a named app, and shows the remaining steps in a dry run', async () => {
    const { exitCode, stdout } = await init('named', second, '--cwd', 'apps/docs', '--dry-run')
    expect(exitCode).toBe(0)
    expect(stdout).toContain('Found: Astro (astro.config.mjs)')
    expect(stdout).toContain('Next steps:\n  1. init cannot edit astro.config.mjs automatically.')
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('Nothing was written because of --dry-run.')
  })
})

describe('doctor', () => {
  const doctor = (extra: string[] = [], env: NodeJS.ProcessEnv = {}) =>
    runSymup(['doctor', ...NAMES, '--minified-path-prefix', '/', ...extra], {
      cwd: place,
      env: { SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url, ...env },
    })

  it('exits with 0, shows every setting with its source, reports that the key works, and stores nothing', async () => {
    const { exitCode, stdout } = await doctor([], { FLASHCAT_SOURCEMAP_INTAKE_URL: 'http://elsewhere' })
    expect(exitCode).toBe(0)
    expect(stdout).toContain('service = shop ← --service')
    expect(stdout).toMatch(/endpoint = .* ← SYMUP_ENDPOINT {2}\(overrides FLASHCAT_SOURCEMAP_INTAKE_URL\)/)
    expect(stdout).toMatch(/HTTP 400; key accepted/)
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('Ready to upload.')
    expect(stdout).not.toContain('dev-api-key')
    expect(await intake.uploads()).toEqual([])
  })

  it('exits with 1 if the key is refused, or if the endpoint is unreachable or not an intake', async () => {
    const refused = await doctor([], { SYMUP_API_KEY: 'a-wrong-key' })
    expect([refused.exitCode, refused.stdout]).toEqual([1, expect.stringContaining('unauthorized')])
    expect(refused.stdout).not.toContain('a-wrong-key')
    const away = await doctor([], { SYMUP_ENDPOINT: 'http://127.0.0.1:1' })
    expect([away.exitCode, away.stdout]).toEqual([1, expect.stringContaining('The connection was refused')])
    const site = await startServer((_, response) => response.end('<html>hello'))
    const other = await doctor([], { SYMUP_ENDPOINT: site.url })
    await site.close()
    expect([other.exitCode, other.stdout]).toEqual([1, expect.stringContaining('endpoint-wrong')])
  })

  it.each([
    ['warning', 'core'],
    ['info', 'unplugin'],
  ])('shows as %s, with @symup/%s installed, that symup web upload would lack a prefix', async (severity, name) => {
    const cwd = join(place, `with-${name}`)
    mkdirSync(join(cwd, 'node_modules/@symup', name), { recursive: true })
    writeFileSync(join(cwd, 'package.json'), '{}')
    writeFileSync(join(cwd, 'node_modules/@symup', name, 'package.json'), '{"version":"1.0.0"}')
    const env = { SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url }
    const { exitCode, stdout } = await runSymup(['doctor', ...NAMES], { cwd, env })
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`${severity} prefix-missing: No minified path prefix is set.`)
    expect(stdout.trimEnd().split('\n').at(-1)).toContain(
      'The symup web upload command also requires a minified path prefix.',
    )
    const upload = await runSymup(['web', 'upload', 'dist', ...NAMES], { cwd, env })
    expect([upload.exitCode, upload.stderr]).toEqual([2, expect.stringContaining('prefix-missing')])
  })

  it('exits with 2 for an unusable configuration, and still shows all other settings', async () => {
    const { exitCode, stdout } = await runSymup(['doctor', '--service', 'shop', '--no-config-file'], {
      cwd: place,
      env: { SYMUP_ENDPOINT: intake.url },
    })
    expect(exitCode).toBe(2)
    for (const text of ['service = shop', 'version-missing', 'api-key-missing', 'probe']) expect(stdout).toContain(text)
  })

  it('reports which proxy is used and why, and how far the clock is off', async () => {
    const past = new Date(Date.now() - 600_000).toUTCString()
    const proxy = await startServer((_, response) => {
      response.sendDate = false
      response.writeHead(400, { Date: past, 'Service-Request-Id': 'x' }).end()
    })
    const address = proxy.url.replace('//', '//user:secret-word@')
    const behindProxy = { http_proxy: address, SYMUP_ENDPOINT: 'http://intake.example' }
    const { stdout, exitCode } = await doctor([], behindProxy)
    const strict = await doctor(['--fail-on-warnings'], behindProxy)
    await proxy.close()
    expect(stdout).toMatch(/proxy {8}http:\/\/127\.0\.0\.1:\d+ ← http_proxy/)
    expect(stdout).not.toContain('secret-word')
    expect(stdout).toMatch(/clock-skew: The clock on this machine is 6\d\d s ahead/)
    expect(exitCode).toBe(0)
    expect(strict.exitCode).toBe(1)
    expect(strict.stdout).toContain('An upload would fail because of 1 problem.')
  })
})

describe('the proxy, CA and cache directory', () => {
  const project = () => join(place, 'configured')
  beforeAll(() => {
    mkdirSync(join(project(), 'dist'), { recursive: true })
    writeFileSync(join(project(), 'dist/a.js'), 'throw 1\n//# sourceMappingURL=a.js.map\n')
    writeFileSync(
      join(project(), 'dist/a.js.map'),
      '{"version":3,"sources":["a.ts"],"sourcesContent":["throw 1"],"names":[],"mappings":"AAAA"}',
    )
    const config = { service: 'shop', proxy: 'http://user:secret@127.0.0.1:1', cacheDirectory: 'kept' }
    writeFileSync(join(project(), 'symup.json'), JSON.stringify(config))
  })
  const run = (command: string[], env: NodeJS.ProcessEnv = {}) =>
    runSymup([...command, '--release-version', 'settings-1', '--minified-path-prefix', '/'], {
      cwd: project(),
      env: { SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url, ...env },
    })

  it('reads the proxy, CA and cache directory from symup.json, unless a flag overrides them', async () => {
    const doctor = await run(['doctor', '--json'])
    const { settings, probe } = JSON.parse(doctor.stdout)
    expect(settings.proxy).toEqual({ value: 'http://***@127.0.0.1:1', from: 'symup.json', overrode: [] })
    expect(settings.cacheDirectory).toMatchObject({ value: join(project(), 'kept'), from: 'symup.json' })
    expect(probe.proxy).toEqual({ url: 'http://127.0.0.1:1', from: 'symup.json' })
    const upload = ['web', 'upload', 'dist', '--disable-git', '--attempts', '1']
    const away = await run(upload)
    expect([away.exitCode, away.stdout]).toEqual([1, expect.stringContaining('error unreachable')])
    expect((await run([...upload, '--verbose'])).stdout).toContain('proxy = http://***@127.0.0.1:1 ← symup.json')
    const direct = await run([...upload, '--proxy', ''])
    expect([direct.exitCode, direct.stdout]).toEqual([0, expect.stringContaining('Uploaded 1 artifact')])
    expect(readFileSync(join(project(), 'kept/ledger.jsonl'), 'utf8')).toContain('"accepted"')
    expect(doctor.stdout + away.stdout + away.stderr).not.toContain('secret')
  })
})

describe('init', () => {
  const initIn = async (files: Record<string, string>, extra: string[] = []) => {
    const project = mkdtempSync(join(place, 'init-'))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text)
    return { project, ...(await runSymup(['init', '--yes', ...extra], { cwd: project })) }
  }

  it('asks no questions with --yes, sets up the detected tool, and passes doctor', async () => {
    const manifest = JSON.stringify({ name: 'the-shop', version: '1.2.3', scripts: { build: 'vite build' } })
    const config = "import { defineConfig } from 'vite'\n\nexport default defineConfig({\n  plugins: [],\n})\n"
    const files = { 'package.json': manifest, 'pnpm-lock.yaml': '', 'vite.config.ts': config, '.gitlab-ci.yml': '' }
    const { project, exitCode, stdout } = await initIn(files, ['--endpoint', intake.url])
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Found: Vite (vite.config.ts)')])
    expect(stdout).toContain("+import symup from '@symup/unplugin/vite'")
    expect(stdout).toContain('Wrote symup.json, vite.config.ts.')
    expect(stdout).toContain('pnpm add -D @symup/unplugin')
    expect(stdout).toContain('In GitLab CI: add a masked CI/CD variable SYMUP_API_KEY')
    expect(JSON.parse(readFileSync(join(project, 'symup.json'), 'utf8'))).toEqual({
      $schema: expect.stringMatching(/symup\.schema\.json$/),
      service: 'the-shop',
      version: 'auto',
      endpoint: intake.url,
    })
    const env = { SYMUP_API_KEY: 'dev-api-key' }
    const doctor = await runSymup(['doctor'], { cwd: project, env })
    expect([doctor.exitCode, doctor.stdout]).toEqual([0, expect.stringContaining('version = 1.2.3 ← ')])
    const again = await runSymup(['init'], { cwd: project })
    expect([again.exitCode, again.stdout]).toEqual([
      0,
      expect.stringMatching(/The project is already set up, [\s\S]*No changes are necessary\./),
    ])
    const forced = await runSymup(['init', '--force', '--endpoint', intake.url], { cwd: project })
    expect([forced.exitCode, forced.stdout]).toEqual([0, 'Found: Vite (vite.config.ts)\nNo changes are necessary.\n'])
    writeFileSync(join(project, 'vite.config.ts'), config)
    const missing = await runSymup(['init'], { cwd: project })
    expect([missing.exitCode, missing.stdout]).toEqual([
      2,
      expect.stringMatching(/\+import symup [\s\S]*The project is already set up, /),
    ])
    expect(readFileSync(join(project, 'vite.config.ts'), 'utf8')).toBe(config)
  })

  it('exits with 2 without a terminal unless --yes is given, and shows the planned changes', async () => {
    const project = mkdtempSync(join(place, 'init-'))
    const { exitCode, stdout, stderr } = await runSymup(['init'], { cwd: project })
    expect(exitCode).toBe(2)
    expect(stdout).toContain('+++ symup.json')
    expect(stderr).toContain(
      'init needs a terminal to ask for confirmation.\n  fix: To write these changes, pass --yes.',
    )
    expect(readdirSync(project)).toEqual([])
  })

  it('shows the installed command in the form that Yarn finds', async () => {
    const manifest = (more: object) => JSON.stringify({ name: 'the-shop', ...more })
    const files = { 'yarn.lock': '', 'package.json': manifest({ devDependencies: { symup: '1' } }) }
    expect((await initIn(files, ['--tool', 'vite'])).stdout).toContain(': yarn symup doctor')
    const without = { ...files, 'package.json': manifest({}) }
    expect((await initIn(without, ['--tool', 'vite'])).stdout).toContain(': npx symup doctor')
    expect((await initIn(without, ['--tool', 'mini-program'])).stdout).toContain('yarn symup mini-program upload')
  })

  it('writes nothing with --dry-run, and lists the tools that --tool accepts', async () => {
    const { project, exitCode, stdout } = await initIn({ 'package.json': '{}' }, ['--dry-run', '--tool', 'rollup'])
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('+++ rollup.config.mjs')])
    expect(existsSync(join(project, 'symup.json'))).toBe(false)
    const wrong = await runSymup(['init', '--tool', 'webpak'], { cwd: project })
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('Did you mean "webpack"?')])
  })
})

describe('JSON documents', () => {
  it('prints documents that match their schemas', async () => {
    const stack = 'at x (https://h/a.js:1:1)\nat y (https://h/c.js:1:1)'
    const documents: Record<string, string> = {
      plan: (await uploading(['--dry-run', '--json'])).stdout,
      report: (await uploading(['--json'])).stdout,
      doctor: (await runSymup(['doctor', ...NAMES, '--json'], { cwd: place, env: { SYMUP_ENDPOINT: intake.url } }))
        .stdout,
      explain: (
        await runSymup(['explain', '-', ...NAMES, '--json', '--dir', 'dist', '--minified-path-prefix', '/'], {
          cwd: place,
          input: stack,
        })
      ).stdout,
    }
    for (const [name, document] of Object.entries(documents)) {
      const { stdout: schema } = await runSymup(['schema', name], { cwd: place })
      const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(JSON.parse(schema))
      expect(validate(JSON.parse(document)), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true)
    }
    expect((await runSymup(['schema', 'nothing'], { cwd: place })).exitCode).toBe(2)
  })
})

it('completes commands in fish, and suggests the most similar command', async () => {
  expect((await runSymup(['completion', 'fish'], { cwd: place })).stdout).toContain(
    "-n '__fish_use_subcommand' -a doctor",
  )
  const { stderr, exitCode } = await runSymup(['doctr'], { cwd: place })
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Did you mean: symup doctor?')])
})

it('follows NO_COLOR and FORCE_COLOR in its output', async () => {
  const start = '\u001b['
  expect((await uploading([], { FORCE_COLOR: '1' })).stdout).toContain(start)
  expect((await uploading([], { FORCE_COLOR: '1', NO_COLOR: '1' })).stdout).not.toContain(start)
})
