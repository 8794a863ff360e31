import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useDirectory } from '../../../../test/support/directory.ts'
import { usePrintedLines } from '../../../../test/support/printed.ts'
import { MAP } from '../dry-run.fixture.ts'
import type { SymupOptions } from '../options.ts'
import { farm } from './farm.ts'

// test/frameworks runs Farm itself. These tests call the plugin's hooks the way Farm does.

const root = useDirectory('each')
const printed = usePrintedLines()

const OPTIONS = { service: 'shop', version: '1', ignoreConfigFile: true, git: false }
/** Without an intake, the plugin stages unsent maps and clears the output directory. */
const SENDING = { ...OPTIONS, apiKey: 'a-key', endpoint: 'http://127.0.0.1:1', proxy: '', attempts: 1 }

interface Compilation {
  mode?: string
  watch?: boolean
  sourcemap?: boolean | 'inline' | 'all' | 'all-inline'
  output?: { path?: string; publicPath?: string }
}

interface Hooks {
  config(config: object): { compilation?: Compilation }
  configResolved(config: object): void
  writeResources: { executor(written: object): Promise<void> }
}

async function build(compilation: Compilation | undefined, options: SymupOptions): Promise<Compilation | undefined> {
  const [hooks] = farm.hooks({ cacheDirectory: join(root, 'cache'), ...options }) as unknown as [Hooks]
  const config = hooks.config({ root, ...(compilation && { compilation }) })
  hooks.configResolved(config)
  const directory = join(root, compilation?.output?.path ?? 'dist')
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'main.js'), 'fail()\n//# sourceMappingURL=main.js.map')
  writeFileSync(join(directory, 'main.js.map'), MAP)
  const resourcesMap = { a: { name: 'main.js' }, b: { name: 'main.js.map' } }
  await hooks.writeResources.executor({ resourcesMap })
  return config.compilation
}

it('keeps the files of two simultaneous builds apart', async () => {
  const started = ['a', 'b'].map((name) => {
    const [hooks] = farm.hooks({ ...OPTIONS, dryRun: true, minifiedPathPrefix: `/${name}/` }) as unknown as [Hooks]
    hooks.configResolved(hooks.config({ root: join(root, 'project'), compilation: { output: { path: '../dist' } } }))
    return { name, hooks }
  })
  mkdirSync(join(root, 'dist'))
  for (const { name } of started) {
    writeFileSync(join(root, 'dist', `${name}.js`), 'fail()')
    writeFileSync(join(root, 'dist', `${name}.js.map`), MAP)
  }
  for (const { name, hooks } of started)
    await hooks.writeResources.executor({ resourcesMap: { a: { name: `${name}.js` }, b: { name: `${name}.js.map` } } })
  expect(logged().match(/→ \/\S+/g)).toEqual(['→ /a/a.js', '→ /b/b.js'])
})

const logged = () => printed.join('\n')

it.each([
  // With `true`, Farm generates no maps for scripts that contain only packages.
  [undefined, 'all', 'main.js'],
  [{ sourcemap: true }, true, 'main.js\nmain.js.map'],
  [{ sourcemap: 'inline' }, 'inline', 'main.js\nmain.js.map'],
  [{ sourcemap: false }, false, 'main.js\nmain.js.map'],
] as [Compilation | undefined, unknown, string][])(
  'changes the source maps in %j to %s, and keeps other settings',
  async (compilation, sourcemap, left) => {
    const made = await build(compilation, { ...SENDING, minifiedPathPrefix: '/', onError: 'warn' })
    expect(made?.sourcemap).toBe(sourcemap)
    expect(readdirSync(join(root, 'dist')).sort().join('\n')).toBe(left)
    expect(logged().includes('maps-linked: compilation.sourcemap is true')).toBe(
      sourcemap === true && compilation !== undefined,
    )
    expect(logged().includes('sourcemaps-off: compilation.sourcemap is false')).toBe(sourcemap === false)
  },
)

it("explains in Farm's terms what to do, because Farm has no hidden maps", async () => {
  await build({ sourcemap: true }, { ...SENDING, minifiedPathPrefix: '/', onError: 'warn' })
  expect(logged()).toContain('fix: Remove the setting, or set deleteAfterUpload: true. ')
})

it.each([true, 'all'] as const)(
  'deletes the maps of %s on request, and does not change the setting',
  async (sourcemap) => {
    const options = { ...SENDING, minifiedPathPrefix: '/', onError: 'warn', deleteAfterUpload: true } as const
    const made = await build({ sourcemap }, options)
    expect(made?.sourcemap).toBe(sourcemap)
    expect(logged()).not.toContain('maps-linked')
    expect(readdirSync(join(root, 'dist'))).toEqual(['main.js'])
  },
)

it('finds the prefix and the directory in the config', async () => {
  const output = { path: 'out', publicPath: 'https://cdn.example.com/shop/' }
  await build({ output }, { ...OPTIONS, dryRun: true })
  expect(logged()).toContain('minifiedPathPrefix = https://cdn.example.com/shop/ ← compilation.output.publicPath')
  expect(logged()).toMatch(/out\/main\.js +→ https:\/\/cdn\.example\.com\/shop\/main\.js/)
})

it.each([
  ['in development', { mode: 'development' }, ''],
  ['while watching', { watch: true }, 'The build runs in watch mode, so nothing is uploaded.'],
])('uploads nothing %s', async (_, compilation, message) => {
  await build(compilation, { ...OPTIONS, minifiedPathPrefix: '/', dryRun: true })
  expect(logged()).not.toContain('Dry run')
  expect(logged()).toContain(message)
  expect(readdirSync(join(root, 'dist'))).toHaveLength(2)
})
