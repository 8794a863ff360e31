import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useChromium } from '../support/chromium.ts'
import { filesBelow } from '../support/files-below.ts'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { enrich, positionOf } from '../support/resolve.ts'
import { serve } from '../support/serve.ts'
import { needsChromium } from '../support/tool.ts'
import { BASE, isScript, optionsFor, source, temporaryOutput, uploadedOf, WEB_APP } from './bundle.ts'
import { BUNDLERS } from './other-bundlers.ts'

const chromium = needsChromium()
const withPage = useChromium()

const intake = useIntake()

/** Disks, bundlers, web servers and browsers treat these names differently. */
const NAMES = ['deep/down/below', 'two words', 'größe-日本', '100% sure', 'a+b&c=d;e,f', "quote'd (1)", '%41']

describe.skipIf(!chromium.isThere)(`scripts with unusual file names${chromium.reason}`, () => {
  it.each(BUNDLERS)('uploads scripts from $name $version under the URL that the browser reports', async (bundler) => {
    using directory = temporaryOutput()
    const outDir = join(directory.path, 'out')
    const service = `odd-${bundler.name}-${bundler.version}`
    const plugin = bundler.plugin(optionsFor(intake, service, { minifiedPathPrefix: BASE }))
    // Each entry has its own file. Otherwise the entries would share one chunk.
    const inputs = NAMES.map((name, index) => [name, join(directory.path, `in/thrower-${index}.js`)] as const)
    mkdirSync(join(directory.path, 'in'))
    for (const [, file] of inputs) copyFileSync(source('thrower.js'), file)
    const entries = Object.fromEntries(inputs)
    await logged(() => bundler.build({ root: WEB_APP, outDir, base: BASE, entries }, plugin))

    // Some bundlers simplify the name of an entry, so the test uses the names on disk.
    const scripts = filesBelow(outDir).filter(isScript)
    expect(scripts).toHaveLength(NAMES.length)
    const page = scripts.map(
      (file) => `<script type="module" src="${file.split('/').map(encodeURIComponent).join('/')}"></script>`,
    )
    writeFileSync(
      join(outDir, 'index.html'),
      `<!doctype html>\n<link rel="icon" href="data:," />\n${page.join('\n')}\n`,
    )
    const site = await serve(outDir, BASE)
    const stacks = await withPage(site.url, (open) =>
      open.evaluate(() => (globalThis as unknown as { thrown: string[] }).thrown),
    ).finally(site.close)

    const expected = positionOf(source('thrower.js'), 'new Error', WEB_APP)
    expect(stacks).toHaveLength(NAMES.length)
    for (const stack of stacks) {
      const [frame] = await enrich(intake, stack, service)
      expect(frame?.file, stack).toMatch(/in\/thrower-\d\.js$/)
      expect(frame?.line, stack).toBe(expected.line)
    }
    const uploaded = await uploadedOf(intake, service)
    expect(uploaded).toHaveLength(scripts.length)
    // Uploaded URLs are already normalized, so a URL parser does not change them.
    for (const { url } of uploaded) expect(new URL(url, 'http://h').pathname).toBe(url)
  })
})
