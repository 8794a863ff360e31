import { spawnSync } from 'node:child_process'
import type { TestIntake } from '@symup/intake/testing'
import { expect, it } from 'vitest'
import { ROOT } from '../../support/build-fixture.ts'
import { source } from '../bundle.ts'
import type { Bundler } from '../bundlers.ts'
import { build, expectAllScripts, expectToResolve, isMap, mapsOf, splitEntries } from './build.ts'

/** The workspace's commit. The workspace may also be tested outside a checkout. */
const commit = (() => {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
})()

/** Which scripts of a build are uploaded. */
export function uploadsScripts(bundler: Bundler, intake: TestIntake): void {
  it('uploads a single entry and deletes the maps that only the plugin asked for', async () => {
    const built = await build(bundler, intake)
    expectAllScripts(built)
    expect(Object.keys(built.files)).toEqual(['single.js'])
    expect(built.files['single.js']).not.toContain('sourceMappingURL')
    await expectToResolve(intake, built, 'not a price', 'money.js')
  })

  it('checks and uploads hashed entries, lazy chunks and workers, and keeps hidden maps of the user', async () => {
    const built = await build(bundler, intake, { entries: splitEntries(bundler), hashed: true, maps: 'hidden' })
    expectAllScripts(built)
    const { files, output, uploaded } = built
    expect(uploaded.length).toBeGreaterThanOrEqual(4)
    expect(uploaded.some(({ url }) => /main[-.][\w-]{8,}\.js$/.test(url))).toBe(true)
    await expectToResolve(intake, built, 'not a price', 'money.js')
    await expectToResolve(intake, built, 'no address for', 'routes/checkout.js')
    await expectToResolve(intake, built, 'a discount of', 'worker.js')

    const kept = Object.entries(files).filter(([file]) => isMap(file))
    expect(new Set(kept.map(([, text]) => JSON.parse(text)))).toEqual(new Set(uploaded.map(({ map }) => map)))
    for (const { event, script } of uploaded) {
      expect(script).not.toContain('sourceMappingURL')
      if (commit) expect(event).toMatchObject({ git_commit_sha: commit })
    }
    expect(output).toMatch(
      /\b(\d{2,}) of \1 positions in \d+ of your source files resolve to the right line \(\d+ scripts\)/,
    )
    expect(output.search('resolve to the line')).toBeLessThan(output.search('Uploaded'))
    expect(output).not.toMatch(/warning (map|sources|leak)-/)
  })

  it('does not report an entry without a map that only re-exports shared code', async () => {
    const built = await build(bundler, intake, { entries: { one: source('single.js'), two: source('single.js') } })
    expect(built.output).not.toContain('no-map')
    expect(built.uploaded.length).toBeGreaterThanOrEqual(1)
    await expectToResolve(intake, built, 'not a price', 'money.js')
  })

  it('finds maps in another directory, and never sends the map of a style sheet', async () => {
    const hasOwnDirectory = bundler.lacks.mapsInOtherDirectory === undefined
    const entries: Record<string, string> =
      bundler.lacks.cssMaps === undefined ? { styled: source('styled.js') } : { styled: source('single.js') }
    const request = { entries, css: true, mapsInOtherDirectory: hasOwnDirectory, maps: 'hidden' } as const
    const built = await build(bundler, intake, request)
    expectAllScripts(built)
    expect(mapsOf(built).filter((file) => file.endsWith('.css.map'))).toHaveLength(1)
    const scriptMaps = mapsOf(built).filter((file) => file.endsWith('js.map'))
    expect(scriptMaps.map((file) => file.startsWith('maps/'))).toEqual([hasOwnDirectory])
  })

  it('writes and sends debug ids that do not depend on version, service or time', async () => {
    const request = { entries: splitEntries(bundler), hashed: true, maps: 'hidden' } as const
    const one = await build(bundler, intake, request, { debugIds: true, version: '1.0.0' })
    const two = await build(bundler, intake, request, { debugIds: true, version: '2.0.0' })
    expect(two.files).toEqual(one.files)
    expect(one.uploaded.length).toBeGreaterThanOrEqual(4)
    const ids = one.uploaded.map(({ event, script, map }) => {
      expect(script).toContain(`//# debugId=${event.debug_id}`)
      expect(map).toMatchObject({ debugId: event.debug_id })
      return event.debug_id
    })
    expect(new Set(ids).size).toBe(ids.length)
  })
}

/** What happens to the maps, by the bundler's setting and the plugin's options. */
export function handlesMaps(bundler: Bundler, intake: TestIntake): void {
  it('warns of linked maps', async () => {
    const built = await build(bundler, intake, { maps: 'linked' })
    expectAllScripts(built)
    expect(built.files['single.js']).toMatch(/sourceMappingURL=\S*single\.js\.map$/m)
    expect(built.output).toContain('warning maps-linked')
    expect(mapsOf(built)).toEqual(['single.js.map'])
  })

  it('deletes linked maps and their names on request', async () => {
    const options = { deleteAfterUpload: true, failOnFindings: true }
    const built = await build(bundler, intake, { maps: 'linked' }, options)
    expectAllScripts(built)
    expect(built.files['single.js']).not.toContain('sourceMappingURL')
    expect(mapsOf(built)).toEqual([])
    expect(built.output).toContain('Deleted 1 uploaded source map')
  })

  it('uploads inline maps, and reports that they ship', async () => {
    const built = await build(bundler, intake, { maps: 'inline' })
    expectAllScripts(built)
    expect(built.output).toMatch(/warning map-inline: \S*single\.js/)
    expect(Object.keys(built.files)).toEqual(['single.js'])
    await expectToResolve(intake, built, 'not a price', 'money.js')
  })

  it('reports that maps are off', async () => {
    const { output, uploaded, failure } = await build(bundler, intake, { maps: 'none' })
    expect(String(failure)).toMatch(/Nothing was uploaded/)
    expect(output).toContain('warning sourcemaps-off')
    expect(uploaded).toEqual([])
  })

  it('fails with failOnFindings if maps remain', async () => {
    const options = { failOnFindings: true, deleteAfterUpload: false, git: false }
    const { output, failure } = await build(bundler, intake, { maps: 'hidden' }, options)
    expect(String(failure)).toContain('must not be deployed')
    expect(output).toMatch(/source map +\S+\.js\.map/)
  })

  it('stages the maps outside the output and prints how to go on when the upload fails', async () => {
    const options = { apiKey: 'a-wrong-key', onError: 'warn' } as const
    const built = await build(bundler, intake, { entries: splitEntries(bundler) }, options)
    expect(built.uploaded).toEqual([])
    expect(mapsOf(built)).toEqual([])
    expect(built.output).toMatch(/npx symup@\S+ web upload \S*staged\S* .*--delete-after-upload/)
    expect(built.output).not.toContain('a-wrong-key')
  })
}
