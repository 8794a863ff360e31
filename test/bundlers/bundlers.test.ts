import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SymupOptions } from '@symup/unplugin/vite'
import { describe, expect, it } from 'vitest'
import { unaligned } from '../../scripts/options-table.ts'
import { ROOT } from '../support/build-fixture.ts'
import { filesBelow } from '../support/files-below.ts'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { BASE, optionsFor, scriptsIn, source, temporaryOutput, type Uploaded, uploadedOf, WEB_APP } from './bundle.ts'
import { BUNDLERS, type BuildRequest, type Bundler } from './bundlers.ts'
import { bundlersTable } from './table.ts'

const intake = useIntake()

let builds = 0

interface Built {
  outDir: string
  files: string[]
  scripts: Record<string, string>
  uploaded: Uploaded[]
  output: string
}

/** Builds once with the plugin and hands over what was written and what was sent. */
async function build(
  bundler: Bundler,
  request: Partial<BuildRequest>,
  check: (built: Built) => Promise<void> | void,
  more: SymupOptions = {},
): Promise<void> {
  using directory = temporaryOutput()
  const outDir = directory.path
  const service = `${bundler.name}-${++builds}`
  const prefix = bundler.lacks.inferredPrefix === undefined ? {} : { minifiedPathPrefix: BASE }
  const plugin = bundler.plugin(optionsFor(intake, service, { ...prefix, ...more }))
  const whole = { root: WEB_APP, outDir, base: BASE, entries: { single: source('single.js') }, ...request }
  const output = await logged(() => bundler.build(whole, plugin))
  const uploaded = await uploadedOf(intake, service)
  await check({ outDir, files: filesBelow(outDir), scripts: scriptsIn(outDir), uploaded, output })
}

/** Every script of the output was sent, with the bytes that are deployed and a map of its own, and nothing else; each once. */
function expectAllScripts({ scripts, uploaded, output }: Built): void {
  expect(Object.fromEntries(uploaded.map(({ url, script }) => [url, script]))).toEqual(scripts)
  for (const { event, map, parts, once } of uploaded) {
    expect(event).toMatchObject({ type: 'js_sourcemap', version: '1.2.3', project_path: '' })
    expect(parts).toEqual(['minified_file', 'source_map'])
    expect(map.mappings).toBeTypeOf('string')
    expect(once).toBe(true)
  }
  const count = uploaded.length
  expect(output.match(/Uploaded \d+ of \d+ artifacts/g)).toEqual([`Uploaded ${count} of ${count} artifacts`])
}

/** A place in a deployed file resolves, at the intake, to the source line that it was made of. */
async function expectToResolve({ uploaded }: Built, text: string, file: string): Promise<void> {
  const holder = uploaded.find(({ script }) => script.includes(text))
  const before = holder?.script.slice(0, holder.script.indexOf(text)).split('\n') ?? []
  const stack = `Error: x\n    at f (https://shop.example.com${holder?.url}:${before.length}:${(before.at(-1)?.length ?? 0) + 1})`
  const { frames } = await intake.resolve(stack, { service: String(holder?.event.service), version: '1.2.3' })
  const original = readFileSync(source(file), 'utf8')
  const line = original.slice(0, original.indexOf(text)).split('\n').length
  expect(frames[0]).toMatchObject({ file: expect.stringMatching(new RegExp(`src/${file}$`)), line })
}

const splitEntries = ({ lacks }: Bundler) => ({
  main: source('main.js'),
  ...(lacks.worker !== undefined && { worker: source('worker.js') }),
})

describe.each(BUNDLERS)('$name $version', (bundler) => {
  it('uploads a single entry; maps that only the plugin asked for are gone', async () => {
    await build(bundler, {}, async (built) => {
      expect(built.uploaded.map(({ url }) => url)).toEqual(['/shop/single.js'])
      expectAllScripts(built)
      expect(built.scripts['/shop/single.js']).not.toContain('sourceMappingURL')
      expect(built.files.filter((file) => file.endsWith('.map'))).toEqual([])
      await expectToResolve(built, 'not a price', 'money.js')
    })
  })

  it('uploads split code, lazy chunks and workers', async () => {
    await build(bundler, { entries: splitEntries(bundler), maps: 'hidden' }, async (built) => {
      expectAllScripts(built)
      expect(built.uploaded.length).toBeGreaterThanOrEqual(4)
      await expectToResolve(built, 'not a price', 'money.js')
      await expectToResolve(built, 'no address for', 'routes/checkout.js')
      await expectToResolve(built, 'a discount of', 'worker.js')
    })
  })

  it('leaves hidden maps that the user has set', async () => {
    await build(bundler, { maps: 'hidden' }, (built) => {
      expectAllScripts(built)
      expect(built.scripts['/shop/single.js']).not.toContain('sourceMappingURL')
      expect(built.files).toContain('single.js.map')
      expect(JSON.parse(readFileSync(join(built.outDir, 'single.js.map'), 'utf8'))).toEqual(built.uploaded[0]?.map)
    })
  })

  it('deletes them when told to', async () => {
    await build(
      bundler,
      { maps: 'hidden' },
      (built) => {
        expectAllScripts(built)
        expect(built.files.filter((file) => file.endsWith('.map'))).toEqual([])
        expect(built.output).toContain('Deleted 1 source map')
      },
      { deleteAfterUpload: true },
    )
  })

  it('warns of linked maps', async () => {
    await build(bundler, { maps: 'linked' }, (built) => {
      expectAllScripts(built)
      expect(built.scripts['/shop/single.js']).toMatch(/sourceMappingURL=\S*single\.js\.map$/m)
      expect(built.output).toContain('warning maps-linked')
      expect(built.files).toContain('single.js.map')
    })
  })

  it('does not leave the name of a deleted map', async () => {
    await build(
      bundler,
      { maps: 'linked' },
      (built) => {
        expectAllScripts(built)
        expect(built.scripts['/shop/single.js']).not.toContain('sourceMappingURL')
        expect(built.files.filter((file) => file.endsWith('.map'))).toEqual([])
      },
      { deleteAfterUpload: true },
    )
  })

  it('uploads inline maps, and says that they ship', async () => {
    await build(bundler, { maps: 'inline' }, async (built) => {
      expectAllScripts(built)
      expect(built.output).toMatch(/warning map-inline: \S*single\.js/)
      expect(built.files).toEqual(['single.js'])
      await expectToResolve(built, 'not a price', 'money.js')
    })
  })

  it('says that maps are off', async () => {
    const failing = build(bundler, { maps: 'none' }, () => expect.unreachable('onError is fail'))
    await expect(failing).rejects.toThrow(/Nothing was uploaded/)
    await build(
      bundler,
      { maps: 'none' },
      ({ output, uploaded }) => {
        expect(output).toContain('warning sourcemaps-off')
        expect(uploaded).toEqual([])
      },
      { onError: 'warn' },
    )
  })

  it('takes hashed names as they are', async () => {
    await build(bundler, { entries: splitEntries(bundler), hashed: true }, (built) => {
      expectAllScripts(built)
      expect(Object.keys(built.scripts).some((url) => /main[-.][\w-]{8,}\.js$/.test(url))).toBe(true)
    })
  })

  it('says nothing of entries that only pass on the code they share', async () => {
    await build(bundler, { entries: { one: source('single.js'), two: source('single.js') } }, async (built) => {
      expect(built.output).not.toContain('no-map')
      expect(built.uploaded.length).toBeGreaterThanOrEqual(1)
      await expectToResolve(built, 'not a price', 'money.js')
    })
  })

  it.skipIf(bundler.lacks.mapsElsewhere !== undefined)('finds maps that stand elsewhere', async () => {
    await build(bundler, { mapsElsewhere: true, maps: 'hidden' }, (built) => {
      expect(built.files.some((file) => file.startsWith('maps/'))).toBe(true)
      expect(built.files).not.toContain('single.js.map')
      expectAllScripts(built)
    })
  })

  it('never sends the map of a style sheet', async () => {
    const entries: Record<string, string> =
      bundler.lacks.cssMaps === undefined ? { styled: source('styled.js') } : { single: source('single.js') }
    await build(bundler, { entries, css: true, maps: 'hidden' }, (built) => {
      expect(built.files.filter((file) => file.endsWith('.css.map'))).toHaveLength(1)
      expectAllScripts(built)
    })
  })

  it('builds twice in one process with one plugin, and sends each output once', async () => {
    using first = temporaryOutput()
    using second = temporaryOutput()
    const service = `${bundler.name}-twice-${++builds}`
    const plugin = bundler.plugin(optionsFor(intake, service, { minifiedPathPrefix: BASE }))
    const request = { root: WEB_APP, base: BASE }
    const output = await logged(async () => {
      await bundler.build({ ...request, outDir: first.path, entries: { one: source('single.js') } }, plugin)
      await bundler.build({ ...request, outDir: second.path, entries: { two: source('single.js') } }, plugin)
    })
    const uploaded = await uploadedOf(intake, service)
    expect(uploaded.map(({ url, once }) => ({ url, once }))).toEqual([
      { url: '/shop/one.js', once: true },
      { url: '/shop/two.js', once: true },
    ])
    expect(output.match(/Uploaded 1 of 1 artifacts/g)).toHaveLength(2)
  })

  it('uploads nothing of a build that fails', async () => {
    const service = `${bundler.name}-broken-${++builds}`
    using directory = temporaryOutput()
    const broken = join(directory.path, 'broken.js')
    writeFileSync(broken, 'export const = 1\n')
    const plugin = bundler.plugin(optionsFor(intake, service, { minifiedPathPrefix: BASE }))
    const outDir = join(directory.path, 'out')
    const request = { root: WEB_APP, base: BASE, outDir, entries: { single: source('single.js'), broken } }
    await logged(() => expect(bundler.build(request, plugin)).rejects.toThrow())
    expect(await uploadedOf(intake, service)).toEqual([])
  })

  it('stages the maps outside the output and prints how to go on when the upload fails', async () => {
    await build(
      bundler,
      { entries: splitEntries(bundler) },
      ({ files, output, uploaded }) => {
        expect(uploaded).toEqual([])
        expect(files.filter((file) => file.endsWith('.map'))).toEqual([])
        expect(output).toMatch(/npx symup@\S+ web upload \S*staged\S* .*--delete-after-upload/)
        expect(output).not.toContain('a-wrong-key')
      },
      { apiKey: 'a-wrong-key', onError: 'warn' },
    )
  })
})

it('what a bundler cannot do is in its table', () => {
  const table = bundlersTable(BUNDLERS)
  console.log(`\n${table}`)
  const page = readFileSync(join(ROOT, 'docs/bundlers.md'), 'utf8')
  expect(unaligned(page)).toContain(unaligned(table))
})
