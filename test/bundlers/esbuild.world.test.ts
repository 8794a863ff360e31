import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import symupEsbuild from '@symup/unplugin/esbuild'
import * as esbuild from 'esbuild'
import { expect, it } from 'vitest'
import { sourceArguments } from '../support/build-fixture.ts'
import { filesBelow } from '../support/files-below.ts'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { BASE, optionsFor, source, temporaryOutput, WEB_APP } from './bundle.ts'
import { esbuildOptions } from './other-bundlers.ts'
import { expectUploadedOnce, newService, urlsOf } from './properties/build.ts'

const require = createRequire(import.meta.url)

const intake = useIntake()

/** Runs Node. @returns its whole output, even after a failure. */
async function ranNode(args: string[], env: Record<string, string>): Promise<{ printed: string; code: number | null }> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd: WEB_APP, env: { ...process.env, ...env } },
      (_, stdout, stderr) => done({ printed: stdout + stderr, code: child.exitCode }),
    )
  })
}

const request = (outDir: string) =>
  esbuildOptions({ entries: { single: source('single.js') }, root: WEB_APP, base: BASE, outDir })

it('uploads nothing from a context that does not minify', async () => {
  using directory = temporaryOutput()
  const service = newService('context')
  const output = await logged(async () => {
    const context = await esbuild.context({
      ...request(directory.path),
      minify: false,
      plugins: [symupEsbuild(optionsFor(intake, service))],
    })
    await context.rebuild()
    await context.rebuild()
    await context.dispose()
  })
  await expectUploadedOnce(intake, service, [])
  expect(output).toBe(
    '[symup] This is an esbuild context for watching or serving, so nothing is uploaded. For a release, use build() or minify: true, or set skipRebuild: true in serverless-esbuild.',
  )
})

it('locates each function of serverless-esbuild, which builds them separately, in the package', async () => {
  using directory = temporaryOutput()
  const service = newService('serverless')
  const functions = ['pay', 'list'].map((name) => `src/${name}/handler.js`)
  for (const path of functions) {
    mkdirSync(join(directory.path, path, '..'), { recursive: true })
    writeFileSync(
      join(directory.path, path),
      `export const handler = () => { throw new Error(${JSON.stringify(path)}) }`,
    )
  }
  // The script is called the way serverless-esbuild calls it. symup recognizes the package by its path.
  const bundle = join(directory.path, 'node_modules/serverless-esbuild/bundle.mjs')
  mkdirSync(join(bundle, '..'), { recursive: true })
  writeFileSync(bundle, `export const build = (esbuild, options) => esbuild.build(options)`)
  const serverless = (await import(bundle)) as { build(of: typeof esbuild, options: esbuild.BuildOptions): unknown }
  const plugins = [symupEsbuild(optionsFor(intake, service, { minifiedPathPrefix: '/var/task' }))]
  const outdir = (entry: string) => join(directory.path, '.esbuild/.build', entry, '..')
  const common = { absWorkingDir: directory.path, bundle: true, platform: 'node', plugins } as const
  await logged(() =>
    Promise.all(
      functions.map((entry) => serverless.build(esbuild, { ...common, entryPoints: [entry], outdir: outdir(entry) })),
    ),
  )
  await expectUploadedOnce(intake, service, ['/var/task/src/list/handler.js', '/var/task/src/pay/handler.js'])
  expect(filesBelow(join(directory.path, '.esbuild/.build')).sort()).toEqual([
    'src/list/handler.js',
    'src/pay/handler.js',
  ])
})

// Build scripts for VS Code extensions also create a context for a release.
it.each([
  ['rebuilt once and disposed', 'await context.rebuild()\nawait context.dispose()', 'sent'],
  ['rebuilt twice', 'await context.rebuild()\nawait context.rebuild()\nawait context.dispose()', 'again'],
  ['ended by process.exit()', 'await context.rebuild()\nprocess.exit()', 'cut off'],
  // Obsidian plugins do this. esbuild tells its plugins only later that a context was disposed.
  ['disposed, then ended', 'await context.rebuild()\nawait context.dispose()\nprocess.exit(0)', 'cut off'],
  ['watching', 'await context.watch()', 'killed'],
])('uploads the release from a context only when it has ended: %s', async (_, then, expected) => {
  using directory = temporaryOutput()
  const service = newService('context')
  const script = join(WEB_APP, `${service}-${process.pid}.mjs`)
  const { apiKey, ...options } = optionsFor(intake, service, { minifiedPathPrefix: BASE })
  writeFileSync(
    script,
    `import * as esbuild from '${require.resolve('esbuild')}'
import symup from '@symup/unplugin/esbuild'
const context = await esbuild.context({
entryPoints: ['${source('single.js')}'], outdir: '${directory.path}', bundle: true, logLevel: 'silent', minify: true,
plugins: [
  symup(${JSON.stringify(options)}),
  { name: 'kill', setup: ({ onEnd }) => ${expected === 'killed'} && onEnd(() => void setImmediate(() => process.kill(process.pid))) },
],
})
${then}`,
  )
  const { printed, code } = await ranNode([...sourceArguments(), script], { SYMUP_API_KEY: apiKey ?? '' })
  rmSync(script)
  await expectUploadedOnce(intake, service, expected === 'sent' ? ['/shop/single.js'] : [])
  expect(code).toBe(expected === 'killed' ? null : 0)
  expect(/the esbuild context was rebuilt/.test(printed)).toBe(expected === 'again')
  expect(/process ended after the esbuild context was built, so nothing is uploaded/.test(printed)).toBe(
    expected === 'cut off',
  )
  if (expected !== 'killed') expect(filesBelow(directory.path)).toEqual(['single.js'])
})

it('uploads if plugins with a synchronous setup come before it', async () => {
  using directory = temporaryOutput()
  const service = newService('sync')
  const other: esbuild.Plugin = { name: 'other', setup: () => {} }
  await logged(() =>
    esbuild.build({ ...request(directory.path), plugins: [other, symupEsbuild(optionsFor(intake, service))] }),
  )
  await expectUploadedOnce(intake, service, ['/shop/single.js'])
})

it('explains what to do if a plugin before it hides whether this is a release', async () => {
  using directory = temporaryOutput()
  const service = newService('async')
  const slow: esbuild.Plugin = { name: 'slow', setup: () => new Promise((done) => setImmediate(done)) }
  const ours = symupEsbuild(optionsFor(intake, service))
  const output = await logged(() => esbuild.build({ ...request(directory.path), plugins: [slow, ours] }))
  await expectUploadedOnce(intake, service, [])
  expect(output).toContain('warning build-kind-unknown')
  expect(output).toContain('fix: Put symup first in the list of plugins.')
  await logged(() => esbuild.build({ ...request(directory.path), plugins: [ours, slow] }))
  await expectUploadedOnce(intake, service, ['/shop/single.js'])
})

it('uploads only the context that has the plugin if another context lacks it', async () => {
  using directory = temporaryOutput()
  const service = newService('contexts')
  const contextOf = (outDir: string, entry: string, more: esbuild.BuildOptions) =>
    esbuild.context({
      ...esbuildOptions({ entries: { [entry]: source(`${entry}.js`) }, root: WEB_APP, base: BASE, outDir }),
      ...more,
    })
  const before = process.listeners('beforeExit')
  const options = { minifiedPathPrefix: BASE, git: false, deleteAfterUpload: true }
  const own = symupEsbuild(optionsFor(intake, service, options))
  await logged(async () => {
    const contexts = [
      await contextOf(directory.path, 'single', { minify: true, plugins: [own] }),
      await contextOf(join(directory.path, 'test'), 'worker', { sourcemap: true }),
    ]
    await Promise.all(contexts.map((context) => context.rebuild()))
    await Promise.all(contexts.map((context) => context.dispose()))
    // Simulates the end of the process, when no other work is left.
    const added = process.listeners('beforeExit').filter((listener) => !before.includes(listener))
    for (const listener of added) await listener(0)
  })
  expect(process.listeners('beforeExit')).toEqual(before)
  expect(await urlsOf(intake, service)).toEqual(['/shop/single.js'])
  expect(filesBelow(directory.path).sort()).toEqual(['single.js', 'test/worker.js', 'test/worker.js.map'])
  expect(readFileSync(join(directory.path, 'test/worker.js'), 'utf8')).toContain('worker.js.map')
})
