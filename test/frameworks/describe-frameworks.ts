import { execFile } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { buildPackages } from '../support/build-package.ts'
import { useChromium } from '../support/chromium.ts'
import { install } from '../support/install.ts'
import { useIntake } from '../support/intake.ts'
import { installNode } from '../support/old-node.ts'
import { enrich } from '../support/resolve.ts'
import { serve } from '../support/serve.ts'
import { needsChromium } from '../support/tool.ts'
import type { Framework } from './built-frameworks.ts'
import { copyWith, versionOf } from './copy.ts'
import { addOwnFiles, expectNoMaps, removeOwnFiles } from './own-files.ts'

function build(
  { program, node, build, output }: Framework,
  directory: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  rmSync(join(directory, output), { recursive: true, force: true })
  const { VITEST: _, NODE_ENV: __, NODE_OPTIONS: ___, ...clean } = process.env
  const quiet = {
    ASTRO_TELEMETRY_DISABLED: '1',
    NEXT_TELEMETRY_DISABLED: '1',
    NUXT_TELEMETRY_DISABLED: '1',
    NO_COLOR: '1',
    NODE_ENV: 'production',
  }
  return new Promise((done, fail) => {
    const options = { cwd: directory, env: { ...clean, ...quiet, ...env }, maxBuffer: 2 ** 26 }
    execFile(
      program ? join(directory, program) : node ? installNode(node) : process.execPath,
      build(directory),
      options,
      (error, stdout, stderr) => {
        const printed = `${stdout}\n${stderr}`
        if (error) fail(new Error(printed))
        else done(printed)
      },
    )
  })
}

/** The fixture, or a copy with other packages. */
function directoryOf({ name, versions, changes = {} }: Framework): string {
  if (!versions) return join(ROOT, 'fixtures/frameworks', name)
  const directory = copyWith(name, versions)
  for (const [file, text] of Object.entries(changes)) writeFileSync(join(directory, file), text)
  return directory
}

const lineOf = (path: string, text: string) => {
  const source = readFileSync(path, 'utf8')
  return source.slice(0, source.indexOf(text)).split('\n').length
}

/** Builds each framework's app with its own command, makes its page throw in Chromium, and resolves the stack. */
export function describeFrameworks(frameworks: readonly Framework[]): void {
  const chromium = needsChromium()
  const withPage = useChromium()
  const intake = useIntake()
  // Frameworks load the compiled plugin, like users' builds do.
  beforeAll(buildPackages, 300_000)
  const hasBun = process.platform === 'linux' && process.arch === 'x64'
  describe.skipIf(!chromium.isThere)(`frameworks${chromium.reason}`, () => {
    it.each(
      frameworks
        .filter(({ name }) => name !== 'bun' || hasBun)
        .map((one) => ({
          flag: '',
          of: versionOf(one.versions),
          ...one,
        })),
    )(
      '$name $of $flag: builds, uploads, and resolves what the browser reports',
      async (framework) => {
        const { name, copied, statics, output, base, component, price } = framework
        const directory = directoryOf(framework)
        await install(directory)
        if (copied !== undefined) {
          const to = join(directory, 'node_modules/@symup', copied)
          cpSync(join(ROOT, 'packages', copied), to, {
            recursive: true,
            filter: (path) => !path.endsWith('node_modules'),
          })
        }
        const env = { SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url }
        if (statics) addOwnFiles(join(directory, statics))
        const once = () => build(framework, directory, env)
        // Most of a second build comes from the first build's cache.
        const builds = framework.caches ? once().then(once) : once()
        const printed = await builds.finally(() => statics && removeOwnFiles(join(directory, statics)))
        // In Nuxt, the plugin logs less without a terminal.
        if (name !== 'nuxt') expect(printed).toMatch(/Uploaded \d+ artifacts?/)
        expect(printed).not.toContain('Upload failed')
        const uploads = (await intake.uploads()).filter(({ service }) => service === name)
        expect(uploads.length, printed).toBeGreaterThan(0)

        // Maps that only the plugin requested, or that the user wants deleted, are gone before a framework's adapter copies the output.
        expectNoMaps(join(directory, output), statics !== undefined, framework.namesMaps)

        const page = framework.release ? readFileSync(join(directory, output, 'index.html'), 'utf8') : ''
        const wanted = JSON.stringify({ service: name, version: '1.2.3' }).replaceAll('"', '&quot;')
        expect(page).toContain(framework.release ? `<meta name="release" content="${wanted}">` : '')

        const site = await serve(join(directory, output), base)
        const stack = await withPage(site.url, async (page) => {
          // Wait until the page's code listens to its button.
          await expect
            .poll(async () => {
              await page.click('#fail')
              return page.evaluate(() => 'stack' in globalThis)
            })
            .toBe(true)
          return page.evaluate(() => (globalThis as unknown as { stack: string }).stack)
        }).finally(site.close)

        const frames = await enrich(intake, stack, name)
        const shown = frames.map(({ file, line }) => `${file}:${line}`).join('\n')
        expect(frames[0]?.file, `${stack}\n${shown}`).toMatch(new RegExp(`${price}$`))
        // Turbopack's name for the project's directory.
        expect(shown).not.toContain('[project]')
        expect(frames[0]?.line, `${stack}\n${shown}`).toBe(lineOf(join(directory, price), 'throw new RangeError'))
        const caller = frames.slice(1).find(({ file }) => file.endsWith(component.split('/').at(-1) as string))
        // A minifier that inlines `priceOf` maps the rest of the call to somewhere in the surrounding function.
        expect(caller?.line, shown).toBeGreaterThanOrEqual(lineOf(join(directory, component), 'function add('))
        expect(caller?.line, shown).toBeLessThanOrEqual(
          lineOf(join(directory, component), 'Object.assign(globalThis') + 2,
        )
      },
      600_000,
    )
  })
}
