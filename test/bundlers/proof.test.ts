import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SymupOptions } from '@symup/unplugin/vite'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { filesBelow } from '../support/files-below.ts'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { BASE, optionsFor, source, temporaryOutput, uploadedOf, WEB_APP } from './bundle.ts'
import { BUNDLERS, type Bundler } from './bundlers.ts'

const intake = useIntake()

/** This workspace's commit; it may also be tested where it is not a checkout. */
const checkedOut = (() => {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
})()

let builds = 0

/** Builds the split app with hashed names; what was written, sent and said. */
async function build(bundler: Bundler, more: SymupOptions, maps: 'hidden' | 'linked' = 'hidden') {
  using directory = temporaryOutput()
  const outDir = directory.path
  const service = `proof-${bundler.name}-${++builds}`
  const plugin = bundler.plugin(optionsFor(intake, service, { minifiedPathPrefix: BASE, ...more }))
  const entries = {
    main: source('main.js'),
    ...(bundler.lacks.worker !== undefined && { worker: source('worker.js') }),
  }
  const request = { root: WEB_APP, outDir, base: BASE, entries, hashed: true, maps }
  let failure: Error | undefined
  const output = await logged(() => bundler.build(request, plugin).catch((error) => (failure = error as Error)))
  const files = Object.fromEntries(filesBelow(outDir).map((file) => [file, readFileSync(join(outDir, file), 'latin1')]))
  return { files, output, failure, uploaded: await uploadedOf(intake, service) }
}

describe.each(BUNDLERS)('$name $version', (bundler) => {
  it('proves that places resolve, before it sends, and says which commit was built', async () => {
    const { output, uploaded } = await build(bundler, {})
    expect(uploaded.length).toBeGreaterThan(0)
    for (const { event } of uploaded) if (checkedOut) expect(event).toMatchObject({ git_commit_sha: checkedOut })
    expect(output).toMatch(/\b(\d{2,}) of \1 places in \d+ of your files resolve to the line \(\d+ scripts\)/)
    expect(output.search('resolve to the line')).toBeLessThan(output.search('Uploaded'))
    expect(output).not.toMatch(/warning (map|sources|leak)-/)
  })

  it('writes debug ids that neither version nor service nor time decide, and sends them', async () => {
    const one = await build(bundler, { debugIds: true, version: '1.0.0' })
    const two = await build(bundler, { debugIds: true, version: '2.0.0' })
    expect(two.files).toEqual(one.files)
    expect(one.uploaded.length).toBeGreaterThanOrEqual(4)
    const ids = one.uploaded.map(({ event, script, map }) => {
      expect(script).toContain(`//# debugId=${event.debug_id}`)
      expect(map).toMatchObject({ debugId: event.debug_id })
      return event.debug_id
    })
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('fails with failOnFindings when maps stay, and passes when they are deleted', async () => {
    const kept = await build(bundler, { failOnFindings: true, deleteAfterUpload: false, git: false })
    expect(String(kept.failure)).toContain('must not ship')
    expect(kept.output).toMatch(/source map +\S+\.js\.map/)
    const deleted = await build(bundler, { failOnFindings: true, deleteAfterUpload: true, git: false })
    expect(deleted.failure).toBeUndefined()
    expect(Object.keys(deleted.files).filter((file) => file.endsWith('.map'))).toEqual([])
  })
})

it('says no commit when told not to', async () => {
  const vite = BUNDLERS.find(({ name }) => name === 'vite') as Bundler
  const { uploaded } = await build(vite, { git: false })
  for (const { event } of uploaded) expect(event).not.toHaveProperty('git_commit_sha')
})

describe('strict', () => {
  const vite = BUNDLERS.find(({ name }) => name === 'vite') as Bundler

  /** A plugin that puts a banner before what has been written, as a script after the build would. */
  async function buildWithBanner(options: SymupOptions) {
    using directory = temporaryOutput()
    const service = `banner-${++builds}`
    const banner = {
      name: 'banner',
      writeBundle({ dir }: { dir: string }, bundle: Record<string, { type: string }>) {
        for (const [file, { type }] of Object.entries(bundle)) {
          const path = join(dir, file)
          if (type === 'chunk') writeFileSync(path, `/* built by me */\n${readFileSync(path, 'utf8')}`)
        }
      },
    }
    const plugin = vite.plugin(optionsFor(intake, service, { minifiedPathPrefix: BASE, git: false, ...options }))
    let failure: Error | undefined
    const request = { root: WEB_APP, outDir: directory.path, base: BASE, entries: { main: source('main.js') } }
    const output = await logged(() =>
      vite.build(request, [banner, plugin]).catch((error) => (failure = error as Error)),
    )
    return { output, failure, uploaded: await uploadedOf(intake, service) }
  }

  it('a banner that the map does not count is a warning', async () => {
    const { output, failure, uploaded } = await buildWithBanner({ onError: 'warn' })
    expect(failure).toBeUndefined()
    expect(output).toMatch(/warning map-offset: .*1 line further down/s)
    expect(uploaded.length).toBeGreaterThan(0)
  })

  it.each(['failOnFindings', 'strict'])('and with %s fails the build before anything is sent', async (option) => {
    const { output, failure, uploaded } = await buildWithBanner({ [option]: true })
    expect(output).toContain('error map-offset')
    expect(String(failure)).toBe('SymupError: Some stacks would not resolve, so nothing was uploaded.')
    expect(uploaded).toEqual([])
  })

  it('the API key in what was built fails it, and is not printed', async () => {
    using directory = temporaryOutput()
    const key = {
      name: 'key',
      // Without `map: null` the whole chunk would lose its mappings, and the proof would fail the build first.
      renderChunk: (code: string) => ({
        code: `${code}\nconsole.debug(${JSON.stringify(Buffer.from('x:dev-api-key').toString('base64'))})`,
        map: null,
      }),
    }
    const options = optionsFor(intake, 'leak', { minifiedPathPrefix: BASE, strict: true, git: false })
    const request = { root: WEB_APP, outDir: directory.path, base: BASE, entries: { single: source('single.js') } }
    let failure: Error | undefined
    const output = await logged(() =>
      vite.build(request, [key, vite.plugin(options)]).catch((error) => (failure = error)),
    )
    expect(String(failure)).toMatch(/the API key is in \S+single\.js: do not deploy it/)
    expect(output).toMatch(/API key +\S+single\.js +It contains the API key, as base64/)
    expect(output + failure).not.toContain('dev-api-key')
  })
})
