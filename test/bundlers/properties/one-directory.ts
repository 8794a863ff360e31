import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestIntake } from '@symup/intake/testing'
import type { SymupOptions } from '@symup/unplugin/vite'
import { expect, it } from 'vitest'
import { isBeingWritten } from '../../../packages/unplugin/src/neighbours.ts'
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
    expect(output.match(/Uploaded 1 of 1 artifacts/g)).toHaveLength(2)
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

  it('uploads nothing of a build that fails, and the next build in the directory is on its own', async () => {
    using directory = temporaryOutput()
    const [one, two] = [newService('broken'), newService('whole')]
    const broken = join(directory.path, 'broken.js')
    writeFileSync(broken, 'export const = 1\n')
    const outDir = join(directory.path, 'out')
    const entries = { single: source('single.js'), broken }
    const failing = () => expect(run(outDir, entries, bundler.plugin(options(one)))).rejects.toThrow()
    await logged(failing)
    expect(await urlsOf(intake, one)).toEqual([])
    let during: boolean | undefined
    const minifiedPathPrefix = () => {
      // Asked for when the files are known.
      during = isBeingWritten(outDir)
      return BASE
    }
    await logged(() => build(outDir, 'single', options(two, { minifiedPathPrefix })))
    expect(await urlsOf(intake, two)).toEqual(['/shop/single.js'])
    expect([during, isBeingWritten(outDir)]).toEqual([false, false])
  })
}
