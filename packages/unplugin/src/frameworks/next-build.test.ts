import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { writeIn } from '../../../../test/support/directory.ts'
import { usePrintedLines } from '../../../../test/support/printed.ts'
import { MAP, OPTIONS } from '../dry-run.fixture.ts'
import type { SymupOptions } from '../options.ts'
import { type NextConfig, withSymup } from './next.ts'

// test/frameworks runs `next build` itself. These tests call Next's hook with its output.

let root: string
/** A different directory for each test, because some messages are logged once per process and directory. */
let dist: string
const printed = usePrintedLines()
let argv: string[]
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-next-build-'))
  dist = `.${basename(root)}`
  write('package.json', '{}')
  argv = process.argv
  process.argv = [argv[0] as string, 'next', 'build', root]
  vi.stubEnv('TURBOPACK', '1')
})
afterEach(() => {
  process.argv = argv
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true })
})

/** Without an intake, the plugin stages unsent maps and clears the output directory. */
const SENDING = { ...OPTIONS, dryRun: false, apiKey: 'a-key', endpoint: 'http://127.0.0.1:1', proxy: '', attempts: 1 }

const write = (path: string, text: string) => writeIn(root, path, text)

function writeScript(path: string): void {
  write(path, `fail()\n//# sourceMappingURL=${path.split('/').at(-1)}.map`)
  write(`${path}.map`, MAP)
}

const install = (version: string) => write('node_modules/next/package.json', JSON.stringify({ name: 'next', version }))

/** The log after a build with the config. */
async function build(config: NextConfig, options: SymupOptions = {}): Promise<string> {
  const wrapped = withSymup(config, { ...OPTIONS, cacheDirectory: join(root, 'cache'), ...options })
  writeScript(`${dist}/static/chunks/a.js`)
  writeScript(`${dist}/server/page.js`)
  await wrapped.compiler?.runAfterProductionCompile?.({ projectDir: root, distDir: join(root, dist) })
  return printed.join('\n')
}

it.each([
  [{}, "/_next/ ← Next's default"],
  [{ basePath: '/shop' }, "/shop/_next/ ← Next's basePath"],
  [
    { basePath: '/shop', assetPrefix: 'https://cdn.example.com' },
    "https://cdn.example.com/_next/ ← Next's assetPrefix",
  ],
])('with %j, infers the prefix %s, below which browsers load scripts', async (config, prefix) => {
  const logged = await build(config)
  expect(logged).toContain(`minifiedPathPrefix = ${prefix}`)
  expect(logged).toContain(`→ ${prefix.split(' ')[0]}static/chunks/a.js`)
  expect(logged).not.toMatch(/→ \S*page\.js/)
  expect(logged.match(/minifiedPathPrefix = /g), 'the settings are found once').toHaveLength(1)
})

it('does not call a prefix function before the build', () => {
  expect(() => withSymup({ assetPrefix: () => '' }, OPTIONS)).toThrow("Next's assetPrefix is a function")
})

it('fails on an unusable config before the build, only in the process of the command', () => {
  const unusable = { ...OPTIONS, service: '', minifiedPathPrefix: 'relative/' }
  expect(() => withSymup({}, unusable)).toThrow('prefix-invalid')
  vi.stubEnv('IS_NEXT_WORKER', 'true')
  expect(() => withSymup({}, unusable)).not.toThrow()
  vi.stubEnv('IS_NEXT_WORKER', '')
  vi.stubEnv('NEXT_PRIVATE_BUILD_WORKER', '1')
  expect(() => withSymup({}, unusable)).not.toThrow()
  vi.stubEnv('NEXT_PRIVATE_BUILD_WORKER', '')
  process.argv = [argv[0] as string, 'next', 'start']
  expect(() => withSymup({}, unusable)).not.toThrow()
})

it.each([
  [['build', '--turbopack'], false],
  [['build'], false],
  [['build', 'apps/shop'], true],
])('finds a project outside the working directory for `next %s`: %s', async (words, isOther) => {
  vi.spyOn(process, 'cwd').mockReturnValue(root)
  // This version has no hook, so the result shows which project was examined.
  install('15.3.9')
  write('apps/shop/package.json', '{}')
  write('apps/shop/node_modules/next/package.json', JSON.stringify({ name: 'next', version: '15.4.0' }))
  process.argv = [argv[0] as string, 'next', ...words.map((word) => (word.includes('/') ? join(root, word) : word))]
  const wrapped = withSymup({} as NextConfig, OPTIONS)
  expect(wrapped.compiler !== undefined).toBe(isOther)
})

describe('source maps in Next.js', () => {
  const mapsIn = (directory: string) =>
    readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' }).filter((it) => it.endsWith('.map'))

  it('deletes source maps if only symup requested them, but keeps them for the server', async () => {
    const logged = await build({}, SENDING)
    expect(mapsIn(`${dist}/static`)).toEqual([])
    expect(mapsIn(`${dist}/server`)).toEqual(['page.js.map'])
    expect(logged).toContain(
      `${dist}/server runs on a server and is not uploaded. To also upload server code, set server: true.`,
    )
  })

  it.each([
    [true, 0],
    [undefined, 1],
  ])("keeps the server's source maps with deleteAfterUpload %s: %i", async (deleteAfterUpload, count) => {
    const server = { service: 'shop-server', minifiedPathPrefix: '/app' }
    const logged = await build({}, { ...SENDING, server, ...(deleteAfterUpload && { deleteAfterUpload }) })
    expect(logged).toContain('0 of 2 artifacts uploaded')
    expect(mapsIn(`${dist}/server`)).toHaveLength(count)
  })

  it("uploads the server's source maps for the directory where it runs", async () => {
    const server = { service: 'shop-server', minifiedPathPrefix: '/app' }
    const logged = await build({ basePath: '/shop' }, { server })
    expect(logged).toMatch(/→ \/app\/\S*server\/page\.js/)
    expect(logged).toContain('→ /shop/_next/static/chunks/a.js')
    expect(logged).not.toContain('is not uploaded')
  })

  it('keeps and reports source maps that the user requested', async () => {
    const logged = await build({ productionBrowserSourceMaps: true }, SENDING)
    expect(mapsIn(`${dist}/static`)).toEqual(['chunks/a.js.map'])
    // Loading the config for the hook must not repeat the message.
    expect(logged.match(/maps-linked: productionBrowserSourceMaps is true/g)).toHaveLength(1)
  })

  it.each([
    [{ output: 'standalone' }, {}, true],
    [{ output: 'export' }, {}, false],
    [{ output: 'standalone' }, { dryRun: true }, false],
    [{ output: 'standalone', experimental: { serverSourceMaps: true } }, {}, false],
  ])(
    'with %j and %j, removes source maps from standalone output when Next.js ends: %s',
    async (config, more, removes) => {
      const atExit: (() => void)[] = []
      vi.spyOn(process, 'once').mockImplementation((name, action) => {
        if (String(name) === 'exit') atExit.push(action as () => void)
        return process
      })
      await build(config, { ...SENDING, ...more })
      const copy = `${dist}/standalone/${dist}/server/page.js`
      writeScript(copy)
      for (const action of atExit) action()
      expect(existsSync(join(root, `${copy}.map`))).toBe(!removes)
    },
  )
})

it.each([
  ['subresource-integrity-manifest.json', true],
  ['subresource-integrity-manifest.js', true],
  ['other.json', false],
])('does not change a script whose hash is in %s, and keeps the name of its map: %s', async (manifest, stays) => {
  const text = 'fail()\n//# sourceMappingURL=a.js.map'
  const hash = createHash('sha256').update(text).digest('base64')
  write(`${dist}/server/${manifest}`, JSON.stringify({ 'static/chunks/a.js': `sha256-${hash}` }))
  await build({}, SENDING)
  const script = readFileSync(join(root, `${dist}/static/chunks/a.js`), 'utf8')
  expect(script.includes('sourceMappingURL')).toBe(stays)
})

describe('an older Next.js', () => {
  it('reports that Next.js before 15.4 cannot upload Turbopack output, and changes nothing', () => {
    install('15.3.9')
    const config: NextConfig = {}
    expect(withSymup(config, OPTIONS)).toBe(config)
    expect(printed.join('\n')).toContain(
      'warning bundler-too-old: Next.js 15.3 does not support uploads from Turbopack builds, so nothing is uploaded.',
    )
    printed.length = 0
    vi.stubEnv('IS_NEXT_WORKER', '1')
    withSymup(config, OPTIONS)
    expect(printed, 'once').toEqual([])
  })

  it('adds a webpack plugin after the user’s own before Next.js 15.4', () => {
    install('14.2.30')
    vi.stubEnv('TURBOPACK', '')
    const theirs = { apply: () => {} }
    const wrapped = withSymup({ webpack: (own) => ({ ...own, plugins: [theirs] }) } as NextConfig, OPTIONS)
    expect(wrapped.compiler).toBeUndefined()
    const pluginsFor = (dev: boolean) => wrapped.webpack?.({}, { dev, isServer: false }).plugins
    expect(pluginsFor(false)).toEqual([theirs, { apply: expect.any(Function) }])
    expect(pluginsFor(true)).toEqual([theirs])
    const alone = withSymup({} as NextConfig, OPTIONS)
    expect(alone.webpack?.({}, { dev: false, isServer: true }).plugins).toHaveLength(1)
  })

  it.each([
    ['15.4.0', true, false],
    ['15.12.0', true, false],
    ['16.0.0', true, true],
    ['17.0.1', true, true],
    ['14.9.0', false, false],
  ])('%s: uses the hook: %s, writes debug ids in Turbopack: %s', (version, hasHook, hasIds) => {
    install(version)
    const wrapped = withSymup({} as NextConfig, { ...OPTIONS, debugIds: true })
    expect(wrapped.compiler !== undefined).toBe(hasHook)
    expect(wrapped.turbopack).toEqual(hasIds ? { debugIds: true } : undefined)
    expect(printed.join('\n').includes('debug-ids-unsupported')).toBe(hasHook && !hasIds)
  })
})

it("writes debug ids into webpack's browser scripts, together with other plugins", () => {
  vi.stubEnv('TURBOPACK', '')
  const wrapped = withSymup({} as NextConfig, { ...OPTIONS, debugIds: true })
  const theirs = { apply: () => {} }
  const pluginsFor = (isServer: boolean) => wrapped.webpack?.({ plugins: [theirs] }, { dev: false, isServer }).plugins
  expect(pluginsFor(false)).toEqual([theirs, { apply: expect.any(Function) }])
  expect(pluginsFor(true)).toEqual([theirs])
  const without = withSymup({} as NextConfig, OPTIONS)
  expect(without.webpack?.({ plugins: [theirs] }, { dev: false, isServer: false }).plugins).toEqual([theirs])
})
