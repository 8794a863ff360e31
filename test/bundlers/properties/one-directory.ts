import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestIntake } from '@symup/intake/testing'
import type { SymupOptions } from '@symup/unplugin/vite'
import type { PluginBuild } from 'esbuild'
import { expect, it } from 'vitest'
import { filesBelow } from '../../support/files-below.ts'
import { logged } from '../../support/printed.ts'
import { BASE, optionsFor, source, temporaryOutput, WEB_APP } from '../bundle.ts'
import type { Bundler } from '../bundlers.ts'
import { expectUploadedOnce, mapsIn, newService, urlsOf, WARNED } from './build.ts'

/** Several builds in one process or one directory: each has its own files. */
export function sharesDirectory(bundler: Bundler, intake: TestIntake): void {
  const options = (service: string, more: SymupOptions = {}) =>
    optionsFor(intake, service, { minifiedPathPrefix: BASE, git: false, ...more })

  const run = (outDir: string, entries: Record<string, string>, plugin: unknown) =>
    bundler.build({ entries, root: WEB_APP, base: BASE, outDir, keepsOutput: true }, plugin)

  const build = (outDir: string, entry: string, own: SymupOptions) =>
    run(outDir, { [entry]: source(`${entry}.js`) }, bundler.plugin(own))

  it('builds twice in one process with one plugin, and sends each output once', async () => {
    using first = temporaryOutput()
    using second = temporaryOutput()
    const service = newService('twice')
    const plugin = bundler.plugin(options(service))
    const output = await logged(async () => {
      await run(first.path, { one: source('single.js') }, plugin)
      await run(second.path, { two: source('single.js') }, plugin)
    })
    await expectUploadedOnce(intake, service, ['/shop/one.js', '/shop/two.js'])
    expect(output.match(/Uploaded 1 artifact/g)).toHaveLength(2)
  })

  it('each of two builds at once has its own files', async () => {
    using directory = temporaryOutput()
    const [one, two] = [newService('one'), newService('two')]
    const output = await logged(() =>
      Promise.all([build(directory.path, 'single', options(one)), build(directory.path, 'worker', options(two))]),
    )
    expect(await urlsOf(intake, one)).toEqual(['/shop/single.js'])
    expect(await urlsOf(intake, two)).toEqual(['/shop/worker.js'])
    expect(mapsIn(directory.path)).toEqual([])
    expect(output).not.toMatch(WARNED)
  })

  it('the second of two builds leaves the files of the first to it', async () => {
    using directory = temporaryOutput()
    const [one, two] = [newService('one'), newService('two')]
    const output = await logged(async () => {
      await build(directory.path, 'single', options(one, { deleteAfterUpload: false }))
      await build(directory.path, 'worker', options(two))
    })
    expect(await urlsOf(intake, one)).toEqual(['/shop/single.js'])
    expect(await urlsOf(intake, two)).toEqual(['/shop/worker.js'])
    expect(mapsIn(directory.path)).toEqual(['single.js.map'])
    expect(output).not.toMatch(WARNED)
  })

  it('uploads nothing of a failed build, and the next build in the directory is independent', async () => {
    using directory = temporaryOutput()
    const [one, two] = [newService('broken'), newService('whole')]
    const broken = join(directory.path, 'broken.js')
    writeFileSync(broken, 'export const = 1\n')
    const outDir = join(directory.path, 'out')
    const entries = { single: source('single.js'), broken }
    const failing = () => expect(run(outDir, entries, bundler.plugin(options(one)))).rejects.toThrow()
    await logged(failing)
    expect(await urlsOf(intake, one)).toEqual([])
    await logged(() => build(outDir, 'single', options(two)))
    expect(await urlsOf(intake, two)).toEqual(['/shop/single.js'])
  })

  it.skipIf(bundler.name === 'rsbuild')(
    'uses only its own files: earlier files and those of other plugins are not changed',
    async () => {
      using directory = temporaryOutput()
      const service = newService('own')
      const outDir = join(directory.path, 'dist')
      writeOther(outDir, 'before')
      const plugin = withOther(bundler.plugin(options(service)), () => writeOther(outDir, 'during'))
      await logged(() => run(outDir, { single: source('single.js') }, plugin))
      expect(await urlsOf(intake, service)).toEqual(['/shop/single.js'])
      const others = ['before', 'during'].flatMap((name) => [`other/${name}.js`, `other/${name}.js.map`])
      expect(filesBelow(outDir).sort()).toEqual([...others, 'single.js'])
      for (const name of ['before', 'during'])
        expect(readFileSync(join(outDir, `other/${name}.js`), 'utf8')).toContain(`sourceMappingURL=${name}.js.map`)
    },
  )
}

const MAP =
  '{"version":3,"sources":["sw.ts"],"sourcesContent":["self.skipWaiting()"],"mappings":"AAAA,KAAK,YAAY","names":[]}'

/** A script and its map from outside the build. */
function writeOther(directory: string, name: string): void {
  mkdirSync(join(directory, 'other'), { recursive: true })
  writeFileSync(join(directory, `other/${name}.js`), `self.skipWaiting()\n//# sourceMappingURL=${name}.js.map\n`)
  writeFileSync(join(directory, `other/${name}.js.map`), MAP)
}

/** Our plugin, with another one that acts when the bundler has written its files. */
function withOther(ours: unknown, write: () => void): unknown {
  const name = 'other'
  if (typeof ours === 'object' && ours !== null && 'apply' in ours)
    return {
      apply(compiler: { hooks: { done: { tap(name: string, handler: () => void): void } } }) {
        compiler.hooks.done.tap(name, write)
        ;(ours as { apply(compiler: object): void }).apply(compiler)
      },
    }
  const setup = (build: object) => 'onEnd' in build && (build as PluginBuild).onEnd(write)
  return typeof ours === 'object' && ours !== null && 'setup' in ours
    ? [{ name, setup }, ours]
    : [{ name, writeBundle: write }, ours]
}
