import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useDirectory, writeIn } from '../../../../test/support/directory.ts'
import { usePrintedLines } from '../../../../test/support/printed.ts'
import { MAP, OPTIONS } from '../dry-run.fixture.ts'
import type { SymupOptions } from '../options.ts'
import { symupAngular } from './angular.ts'

// test/frameworks runs Angular's own builder. Here, the builder is a function that writes the given files.

const root = useDirectory('each')
const printed = usePrintedLines()

const write = (path: string, text: string) => writeIn(root, path, text)

function writeScript(path: string): void {
  write(path, 'fail()')
  write(`${path}.map`, MAP)
}

interface Workspace {
  /** Additional options for the builder. */
  own?: Record<string, unknown>
  options?: SymupOptions
  project?: object
  configuration?: string
  /** Scripts for the builder to write. */
  scripts?: string[]
  success?: boolean
  symup?: typeof symupAngular
}

/** Builds. @returns the options that the builder received, its output and the log. */
async function build({
  own = {},
  options = OPTIONS,
  project = { root: '' },
  configuration = 'production',
  scripts = ['dist/shop/browser/main.js'],
  success = true,
  symup = symupAngular,
}: Workspace = {}) {
  printed.length = 0
  const asked: Record<string, unknown>[] = []
  const pages: string[] = []
  const builder = symup(async function* (wanted, _, extensions) {
    asked.push(wanted)
    pages.push((await extensions?.indexHtmlTransformer?.('<head></head>')) ?? '')
    for (const script of scripts) writeScript(script)
    yield { success }
  })
  const context = {
    workspaceRoot: root,
    target: { project: 'shop', configuration },
    getProjectMetadata: async (name: string) => (name === 'shop' ? project : {}),
    validateOptions: async (wanted: object, name: string) => ({ ...wanted, validated: name }),
  }
  const outputs: { success: boolean; error?: string }[] = []
  for await (const output of builder({ ...own, symup: options }, context)) outputs.push(output)
  return { asked: asked[0], outputs, pages, logged: printed.join('\n') }
}

it('writes the release into index.html if the option is set', async () => {
  const own = { baseHref: '/shop/' }
  expect((await build({ own })).pages).toEqual([''])
  const [page] = (await build({ own, options: { ...OPTIONS, injectRelease: true } })).pages
  expect(page).toMatch(/^<head><meta name="release" content="{&quot;service&quot;:&quot;shop&quot;,[^>]*"><\/head>$/)
})

/** The prefix and its source in the log. */
const prefixIn = (logged: string) => /minifiedPathPrefix = (\S+ ← .*)/.exec(logged)?.[1]

describe('the prefix in Angular', () => {
  const CDN = 'https://cdn.example.com/a/'
  beforeEach(() => {
    write('src/index.html', '<html><head><BASE  target=x href="/from-index/"></head></html>')
    write('other/page.html', '<base href="/other/">')
  })

  it.each([
    ['baseHref', { baseHref: '/shop/' }, "/shop/ ← Angular's baseHref"],
    ['an absolute deployUrl', { baseHref: '/shop/', deployUrl: CDN }, `${CDN} ← Angular's deployUrl`],
    ['a deployUrl from the root', { baseHref: '/shop/', deployUrl: '/a/' }, "/a/ ← Angular's deployUrl"],
    [
      'a deployUrl below the baseHref',
      { baseHref: '/shop/', deployUrl: 'a/' },
      "/shop/a/ ← Angular's baseHref and deployUrl",
    ],
    [
      'a deployUrl below a URL',
      { baseHref: 'https://h/shop/', deployUrl: '../a/' },
      "https://h/a/ ← Angular's baseHref and deployUrl",
    ],
    ['the page', {}, "/from-index/ ← the base URL in Angular's index.html"],
    ['a page by its name', { index: 'other/page.html' }, "/other/ ← the base URL in Angular's index.html"],
    ['a page as an input', { index: { input: 'other/page.html' } }, "/other/ ← the base URL in Angular's index.html"],
    [
      'the page, where it is only said that there is one',
      { index: true },
      "/from-index/ ← the base URL in Angular's index.html",
    ],
    ['locales, whose pages Angular gives a base', { localize: true }, "/ ← Angular's locales"],
  ])('comes from %s', async (_, own, expected) => {
    const { logged, outputs } = await build({ own })
    expect(prefixIn(logged)).toBe(expected)
    expect(outputs).toEqual([{ success: true }])
  })

  it('takes the prefix from the page of a project in another directory', async () => {
    expect(prefixIn((await build({ project: {} })).logged), 'no root is that of the workspace').toContain(
      '/from-index/ ',
    )
    write('projects/shop/src/index.html', "<base href='/project/'>")
    write('other/index.html', '<base href=/sources/>')
    expect(prefixIn((await build({ project: { root: 'projects/shop' } })).logged)).toContain('/project/ ')
    expect(prefixIn((await build({ project: { root: 'projects/shop', sourceRoot: 'other' } })).logged)).toContain(
      '/sources/ ',
    )
  })

  it.each([
    ['the build has no page', { index: false }, {}],
    ['the page does not exist', { index: 'missing.html' }, {}],
    ['the page is not at its configured path', {}, { sourceRoot: 'nowhere' }],
  ])('finds no prefix if %s', async (_, own, project) => {
    const { outputs, asked } = await build({ own, project })
    expect(outputs).toEqual([{ success: false, error: expect.stringContaining('prefix-missing') }])
    expect(asked, 'before anything is built').toBeUndefined()
  })

  it.each([
    ['de', { locales: { fr: 'fr.xlf', de: { translation: 'de.xlf', baseHref: '/de/' } } }],
    ['of the sources', { sourceLocale: { code: 'en', baseHref: '/en/' }, locales: { fr: 'fr.xlf' } }],
  ])('finds no prefix if the locale %s has its own baseHref, but only in a localized build', async (name, i18n) => {
    const [{ error } = {}] = (await build({ own: { localize: ['de'] }, project: { root: '', i18n } })).outputs
    expect(error).toContain(`the locale ${name} has its own baseHref`)
    expect((await build({ project: { root: '', i18n } })).outputs).toEqual([{ success: true }])
  })

  it('finds the prefix if the locales have no base of their own', async () => {
    const i18n = { sourceLocale: 'en', locales: { fr: 'fr.xlf', de: { translation: 'de.xlf' }, it: null } }
    expect((await build({ own: { localize: true }, project: { root: '', i18n } })).outputs).toEqual([{ success: true }])
  })
})

describe('source maps in Angular', () => {
  const own = { baseHref: '/' }

  it.each([
    ['the config does not set them', undefined, { scripts: true, styles: false, hidden: true }],
    ['they are hidden', { scripts: true, hidden: true }, { scripts: true, hidden: true }],
    ['they are on', true, true],
    ['they are off', false, false],
    ['they are off for scripts', { scripts: false, styles: true }, { scripts: false, styles: true }],
  ])('configures source maps if %s', async (_, sourceMap, expected) => {
    const { asked, logged } = await build({ own: sourceMap === undefined ? own : { ...own, sourceMap } })
    expect(asked).toMatchObject({ sourceMap: expected, validated: '@angular/build:application', baseHref: '/' })
    expect(asked).not.toHaveProperty('symup')
    const isOff = sourceMap === false || (typeof sourceMap === 'object' && sourceMap.scripts === false)
    expect(logged.includes('sourcemaps-off'), logged).toBe(isOff)
    expect(logged.includes('maps-linked'), logged).toBe(sourceMap === true)
  })

  it.each([
    [true, { scripts: true, styles: true, hidden: true }],
    [{ styles: true }, { styles: true, hidden: true }],
  ])('does not reference source maps that are deleted: %j', async (sourceMap, expected) => {
    const { asked, logged } = await build({
      own: { ...own, sourceMap },
      options: { ...OPTIONS, deleteAfterUpload: true },
    })
    expect(asked?.sourceMap).toEqual(expected)
    expect(logged).toContain(`sourceMap is ${JSON.stringify(sourceMap)}, but deleteAfterUpload is set`)
    expect(logged).toContain('sourceMap: { scripts: true, styles: false, hidden: true }')
  })
})

describe('an Angular build', () => {
  it.each([
    ['while watching', { own: { watch: true } }, 'The build runs in watch mode, so nothing is uploaded.'],
    [
      'in the development configuration',
      { configuration: 'de,development' },
      'Nothing is uploaded in the development configuration',
    ],
    ['if the plugin is turned off', { options: { ...OPTIONS, enabled: false } }, ''],
  ])('does not upload a build %s', async (_, workspace, expected) => {
    const { asked, logged, outputs } = await build(workspace)
    expect(outputs).toEqual([{ success: true }])
    expect(asked).toMatchObject({ validated: '@angular/build:application' })
    expect(asked).not.toHaveProperty('sourceMap')
    expect(logged).toContain(expected)
    expect(logged).not.toContain('Dry run')
  })

  it('does not upload a failed build', async () => {
    const { outputs, logged } = await build({ own: { baseHref: '/' }, success: false })
    expect(outputs).toEqual([{ success: false }])
    expect(logged).not.toContain('Dry run')
  })

  it('rethrows an error from the builder, and uploads nothing', async () => {
    const builder = symupAngular(() => {
      throw new TypeError('of Angular')
    })
    const context = {
      workspaceRoot: root,
      getProjectMetadata: async () => ({}),
      validateOptions: async () => ({}),
    }
    const building = builder({ baseHref: '/', symup: OPTIONS }, context)[Symbol.asyncIterator]().next()
    await expect(building).rejects.toThrow(new TypeError('of Angular'))
  })
})

describe('the uploaded Angular output', () => {
  const own = { baseHref: '/' }

  it.each([
    ['its own directory', undefined, 'dist/shop/browser/main.js'],
    ['a directory given by name', 'out', 'out/browser/main.js'],
    ['directories for browsers and server', { base: 'out', browser: 'www' }, 'out/www/main.js'],
    ['no directory for browsers', { base: 'out', browser: '' }, 'out/main.js'],
  ])('finds the uploaded output in %s', async (_, outputPath, script) => {
    const { logged } = await build({
      own: { ...own, ...(outputPath !== undefined && { outputPath }) },
      scripts: [script],
    })
    expect(logged).toContain(`${script} `)
    expect(logged).toContain('→ /main.js')
  })

  it("excludes copied assets, which keep the modification time of the user's file", async () => {
    const old = 'dist/shop/browser/assets/old.js'
    writeScript(old)
    const lastYear = new Date(Date.now() - 365 * 86_400_000)
    for (const file of [old, `${old}.map`]) utimesSync(join(root, file), lastYear, lastYear)
    const { logged } = await build({ own })
    expect(logged).toContain('→ /main.js')
    expect(logged).not.toContain('old.js')
  })

  const scripts = ['dist/shop/browser/main.js', 'dist/shop/server/server.mjs']
  // Unsent maps are staged, so the plugin clears maps even without an intake.
  const sending = () => ({
    ...{ ...OPTIONS, dryRun: false, apiKey: 'a-key', endpoint: 'http://127.0.0.1:1', proxy: '', attempts: 1 },
    cacheDirectory: join(root, 'cache'),
  })
  const left = () =>
    readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.map'))

  it('excludes server code, whose maps are deleted if only symup requested them', async () => {
    // Resets messages that are logged once per process, maybe by another test.
    vi.resetModules()
    const fresh = (await import('./angular.ts')).symupAngular
    const { logged } = await build({ own, scripts, options: sending(), symup: fresh })
    expect(logged).toContain('Server output is not uploaded. To also upload server code, set server: true.')
    expect(logged).toContain('0 of 1 artifact uploaded')
    expect(left()).toEqual([])
  })

  it('excludes a copied map, which belongs to the user', async () => {
    const old = 'dist/shop/browser/assets/old.js'
    writeScript(old)
    const lastYear = new Date(Date.now() - 365 * 86_400_000)
    for (const file of [old, `${old}.map`]) utimesSync(join(root, file), lastYear, lastYear)
    await build({ own, options: sending() })
    expect(left()).toEqual(['shop/browser/assets/old.js.map'])
  })

  it("excludes the server's maps, which stay if the user requested maps", async () => {
    await build({ own: { ...own, sourceMap: { hidden: true } }, scripts, options: sending() })
    expect(left().sort()).toEqual(['shop/browser/main.js.map', 'shop/server/server.mjs.map'])
  })

  it('includes server code on request', async () => {
    const { logged } = await build({ own, scripts, options: { ...OPTIONS, server: true } })
    expect(logged).not.toContain('Server output')
    expect(logged).toMatch(/dist\/shop\/server\/server\.mjs +→ \S+\/dist\/shop\/server\/server\.mjs/)
    expect(existsSync(join(root, 'dist/shop/server/server.mjs.map'))).toBe(true)
  })
})

describe('debug ids in Angular', () => {
  it.each([
    ['21.9.1', true],
    ['22.0.0', false],
  ])('%s: are reported as unavailable: %s', async (version, isLogged) => {
    write('package.json', '{}')
    write('node_modules/@angular/build/package.json', JSON.stringify({ name: '@angular/build', version }))
    const { logged } = await build({ own: { baseHref: '/' }, options: { ...OPTIONS, debugIds: true } })
    expect(logged.includes(`Debug ids are not available with Angular ${version}`)).toBe(isLogged)
  })
})
