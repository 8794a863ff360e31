import { encodedMappings, type SourceMapSegment, TraceMap } from '@jridgewell/trace-mapping'
import { describe, expect, it } from 'vitest'
import type { MiniProgramMap, MiniProgramSource } from '../../artifacts.ts'
import { WeightedCache } from '../../cache.ts'
import { platformOf } from '../../platform-of.ts'
import { artifactSourceOf } from '../../upload-source.ts'
import { explainReleaseMiss } from '../release-miss.ts'
import { archivedMaps } from './archived-maps.ts'
import { explainMiniProgramStack } from './explain-stack.ts'
import { isHostBundle, isHostFrame, parseMiniProgramStack, scriptPath } from './frames.ts'
import { explainMiniProgramMiss } from './miss.ts'

const RELEASE = { service: 'shop', version: '1' }
/** Files on disk have no release. */
const AT_HAND = { service: '', version: '' }

describe('a frame in a mini program', () => {
  it.each<[string, string]>([
    ['https://usr//chunk_0.appservice.js', 'chunk_0.appservice.js'],
    ['https://usr/app-service.js', 'app-service.js'],
    ['http://127.0.0.1:18025/appservice/pages/a.js', 'pages/a.js'],
    ['http://localhost/appservice/pages/a.js', 'pages/a.js'],
    ['https://usr/appservice/pages/a.js', 'appservice/pages/a.js'],
    ['tt://pages/a.js', 'pages/a.js'],
    ['swan://app.js', 'app.js'],
    ['qq://a.js', 'a.js'],
    ['weapp:///pages/a.js', 'pages/a.js'],
    ['xhs://app.js', 'app.js'],
    ['wx://usr/app.js', 'app.js'],
    ['file:///pages/a.js', 'pages/a.js'],
    ['https://appx/app.js', 'app.js'],
    ['https://2021003131655821.hybrid.alipay-eco.com/index.worker.js', 'index.worker.js'],
    ['https://servicewechat.qq.com/app-service.js', 'app-service.js'],
    ['https://vendors.js', 'vendors.js'],
    ['VM147 pages/a.js', 'pages/a.js'],
    ['./pages/a.js', 'pages/a.js'],
    ['https://subPackages/customer/sub-vendors.js', 'subPackages/customer/sub-vendors.js'],
    ['https://usr/localhost/a.js', 'localhost/a.js'],
    ['https://shop.example/a.js', 'a.js'],
  ])('attributes a frame in %s to the script %s', (file, path) => expect(scriptPath(file)).toBe(path))

  it.each<[string, boolean]>([
    ['https://lib/WASubContext.js', true],
    ['https://usr/WAService.js?t=1', true],
    ['app-service.js.cachedata', true],
    ['http://127.0.0.1/__dev__/a.js', true],
    ['http://127.0.0.1/__asdebug__/a.js', true],
    ['http://127.0.0.1:40457/appservice/appservice?t=1538050933549', true],
    ['appservice?t=1580871407544', true],
    ['VM123', true],
    ['VM50 WASubContext.js', true],
    ['VM75 getmainpackage.js', true],
    ['http://127.0.0.1:33444/__pageframe__/__dev__/WAWebview.js?t=wechat', true],
    ['<anonymous>', true],
    ['https://usr/app-service.js', false],
    ['https://usr/Wallet.js', false],
    ['https://appx/af-appx.worker.min.js', true],
    ['tma-core.js', true],
    ['https://appx/my-tma-core.js', false],
    ['https://usr/VM123.js', false],
    ['https://usr/my getmainpackage.js', false],
    ['VM147 pages/a.js', false],
  ])('attributes a frame in %s to the host: %s', (file, isHost) => {
    expect(isHostFrame({ raw: '', file, line: 1 })).toBe(isHost)
    expect(isHostFrame({ raw: '', file })).toBe(true)
  })

  it.each<[string, boolean]>([
    ['app-service.js', true],
    ['sub/app-service.js', true],
    ['appservice.app.js', true],
    ['chunk_0.appservice.js', true],
    ['game.js', true],
    ['index.worker.js', true],
    ['my-index.worker.js', false],
    ['pages/a.js', false],
    ['my-app-service.js', false],
    ['endgame.js', false],
  ])("attributes a frame from %s to WeChat's bundle: %s", (path, isBundle) => expect(isHostBundle(path)).toBe(isBundle))

  // Public issues contain these stacks.
  it.each([
    '_createData@https://servicewechat.qq.com/app-service.js:12618:44',
    'at Object.f [as onPageNotFound] (https://2021003131655821.hybrid.alipay-eco.com/index.worker.js:187:66925)',
    'at t (http://127.0.0.1:55883/appservice/manifest.js:16:90)\n    at require (http://127.0.0.1:55883/appservice/__dev__/WAService.js:23:1)',
    'at HTMLScriptElement.scriptLoaded (http://127.0.0.1:31928/appservice/appservice?t=1536501109776:1037:9)',
    'at a (http://127.0.0.1:33444/__pageframe__/__dev__/WAWebview.js?t=wechat&v=2.30.2:1:2123745)',
    'at f (https://vendors.js:1:218120)',
    'at f (tt://pages/a.js:1:2)',
    'at f (https://appx/app.js:1:2)',
    'f@qq://usr/app-service.js:1:2',
    'at f (ks://pages/a.js:1:2)',
    'at f (appservice.app.js:1:2)',
    'app-service.js:1:2',
    'at i (WAServiceMainContext.js?t=wechat&s=1600000&v=2.30.2:1:2)',
    'at e (app.js? [sm]:2)\n    at kt (tma-core.js:2)',
    'at e (bootstrap:19)\n    at af-appx.worker.min.js:24',
  ])('recognizes a mini program frame: %s', (frame) => {
    expect(platformOf(`TypeError: x is not a function\n    ${frame}`)).toBe('miniprogram')
  })

  it.each([
    ["site's script", '\n    at f (https://shop.example/app-service.js:1:2)'],
    ['message with a link', ': cannot open qq://shop\n    at f (https://shop.example/a.js:1:2)'],
  ])('is not recognized as one of a mini program in a %s', (_, rest) => {
    expect(platformOf(`TypeError${rest}`)).toBe('browser')
  })

  it.each([
    ['onLoad@pages/a.js:1:2', 'onLoad', 'pages/a.js'],
    ['@pages/a.js:1:2', undefined, 'pages/a.js'],
    ['onLoad@pages/首页.js:1:2', 'onLoad', 'pages/首页.js'],
    ['    at onLoad (./pages/a.js:1:2)', 'onLoad', 'pages/a.js'],
    ['    at async Page.onLoad (pages/a.js:1:2)', 'Page.onLoad', 'pages/a.js'],
    ['    at eval (eval at run (https://usr/a.js:1:2), <anonymous>:3:4)', 'eval', 'a.js'],
  ])('may have a relative path or be evaluated: %s', (line, name, path) => {
    const [frame, ...more] = parseMiniProgramStack(`Error: x\n${line}`)
    expect([frame?.function, scriptPath(frame?.file ?? ''), frame?.raw]).toEqual([name, path, line.trim()])
    expect(more).toEqual([])
  })

  it('finds a frame within a message and after an escaped line ending', () => {
    const lines = (stack: string) =>
      parseMiniProgramStack(stack).map(({ function: name, line, column }) => [name, line, column])
    const expected = [
      ['f', 1, 2],
      [undefined, 3, 4],
    ]
    expect(lines('Error: x at f (https://usr/a.js:1:2) at https://usr/b.js:3:4')).toEqual(expected)
    expect(lines('Error: x\\n    at f (https://usr/a.js:1:2)\\n    at https://usr/b.js:3:4')).toEqual(expected)
    expect(lines('Error: x\n    at f (https://usr/a.js:1:2)\n    at https://usr/b.js:3:4')).toEqual(expected)
  })
})

describe('a mini program script without a map', () => {
  const missing = (
    path: string,
    entries: string[],
    releases: { service: string; version: string }[] = [],
    release = RELEASE,
  ) =>
    explainMiniProgramMiss(path, release, {
      findMaps: async () => [],
      entriesOf: async () => entries,
      releases: async () => releases,
    })
  const of = (...versions: string[]) => versions.map((version) => ({ service: 'shop', version }))

  it.each<[string, Promise<object>, object]>([
    [
      'has no upload',
      missing('a.js', []),
      { code: 'no-artifact', message: 'No source maps of a mini program were uploaded.' },
    ],
    [
      'exists only in another version',
      missing('a.js', [], of('2', '3', '2', '4', '5')),
      {
        code: 'version-mismatch',
        message: 'No upload for shop has the version 1. Uploaded versions: 2, 3, 4 and 1 more.',
      },
    ],
    [
      'is missing from the given files, which have no release',
      missing('a.js', [], [AT_HAND], AT_HAND),
      {
        code: 'no-artifact',
        message: 'The given files do not contain a.js.map.',
        fix: expect.stringContaining('Pass'),
      },
    ],
    [
      'is missing from the given archive',
      missing('a.js', ['b.js.map'], [AT_HAND], AT_HAND),
      {
        code: 'no-artifact',
        message: 'The given files contain no source map for a.js, only for b.js.map.',
        fix: expect.stringContaining('Pass'),
      },
    ],
    [
      'exists only in another service',
      missing('a.js', [], [{ service: 'blog', version: '1' }]),
      {
        code: 'service-mismatch',
        message: 'No source maps of a mini program were uploaded for the service shop, only for blog.',
      },
    ],
    [
      "belongs to WeChat's bundle",
      missing('app-service.js', ['pages/a.js.map']),
      {
        code: 'layout-mismatch',
        message:
          "app-service.js is WeChat's bundle of the app, but the uploaded source maps are from the build before WeChat bundled it (pages/a.js.map).",
        fix: expect.stringContaining('sourcemap.zip'),
      },
    ],
    [
      "belongs to Alipay's bundle",
      missing('index.worker.js', ['pages/a.js.map']),
      {
        code: 'layout-mismatch',
        message: expect.stringMatching(/^index\.worker\.js is Alipay's bundle of the app, /),
        fix: expect.stringContaining('the source map that Alipay generated'),
      },
    ],
    [
      'comes from the build',
      missing('pages/a.js', ['app-service.js.map', 'game.js.map']),
      {
        code: 'layout-mismatch',
        message:
          "The stack is from devtools and contains pages/a.js from the build output. The uploaded source maps are for WeChat's bundles (app-service.js.map, game.js.map).",
        fix: expect.stringContaining('devtools'),
      },
    ],
    [
      'is another script',
      missing('pages/a.js', ['app-service.js.map', 'pages/b.js.map']),
      {
        code: 'no-artifact',
        message:
          'The uploaded archive contains no source map for pages/a.js, only for app-service.js.map, pages/b.js.map.',
      },
    ],
    [
      'is in another bundle',
      missing('game.js', ['app-service.js.map']),
      {
        code: 'no-artifact',
        message: 'The uploaded archive contains no source map for game.js, only for app-service.js.map.',
      },
    ],
  ])('reports a script that %s', async (_, found, expected) => expect(await found).toMatchObject(expected))
})

describe('a mini program stack', () => {
  // `throw` at line 1, column 1 maps to a.ts 1:1. Column 9 maps to a.ts 2:3, which calls `pay`.
  const MAP = {
    version: 3,
    sources: ['../src/a.ts'],
    sourcesContent: ['function pay() { throw 1 }\n  this.cart.pay(1)\n'],
    names: [],
    mappings: 'AAAA,QACE',
  }
  const map = (entry: string, more: Partial<MiniProgramMap> & { text?: string } = {}): MiniProgramMap => ({
    entry,
    subPackage: '',
    appid: '',
    contentKey: `${entry}${more.appid ?? ''}`,
    readMap: async () => Buffer.from(more.text ?? JSON.stringify(MAP)),
    ...more,
  })
  const source = (...maps: MiniProgramMap[]): MiniProgramSource => ({
    findMaps: async (_, entries) => maps.filter(({ entry }) => entries.includes(entry)),
    entriesOf: async () => maps.map(({ entry }) => entry),
    releases: async () => [RELEASE],
  })
  const ask = async (stack: string, from: MiniProgramSource, more: object = {}) =>
    (await explainMiniProgramStack({ ...RELEASE, stack, ...more }, from, new WeightedCache(1e6))).frames
  const at = (column: number, file = 'app-service.js') => `at f (https://usr/${file}:1:${column})`
  const MAIN = '__APP__/app-service.js.map'
  const FULL = '__FULL__/app-service.js.map'

  it('resolves, and names each function by the call in the frame below', async () => {
    const frames = await ask(`${at(1)}\n${at(9)}\nat https://lib/WAService.js:1:1`, source(map(MAIN)))
    expect(frames).toMatchObject([
      { resolved: { function: 'pay', file: expect.stringMatching(/src\/a\.ts$/), line: 1, column: 1 } },
      { resolved: { line: 2, column: 3 } },
      { resolved: null, reason: { code: 'not-a-project-frame' } },
    ])
    expect(frames[1]?.resolved).not.toHaveProperty('function')
    expect(frames[0]).not.toHaveProperty('note')
    expect(frames[0]?.resolved?.snippet).toBeDefined()
  })

  it("returns no name that is missing from the function's file, as with a map without columns", async () => {
    const sources = ['../src/page.ts', '../src/cart.ts']
    const page = 'createPage({ pay: () => total([]) })\n'
    const nameFor = async (cart?: string) => {
      // Column 1 maps to cart.ts 1:1, and column 9 maps to page.ts 1:1.
      const text = JSON.stringify({ ...MAP, sources, sourcesContent: [page, cart], mappings: 'ACAA,QDAA' })
      const [frame] = await ask(`${at(1)}\n${at(9)}`, source(map(MAIN, { text })))
      return frame?.resolved?.function
    }
    expect(await nameFor('export function total() { throw 1 }\n')).toBeUndefined()
    expect(await nameFor('function recreatePages() {}\n')).toBeUndefined()
    expect(await nameFor('throw 1\nfunction createPage() {}\n')).toBeUndefined()
    for (const definition of [
      'const createPage = () => {}',
      'export default { createPage: function () {} }',
      'class Pages { createPage(options: { a: 1 }): void { throw 1 } }',
      'exports.createPage = make()',
      'function* createPage() {}',
      'export { make as createPage }',
    ])
      expect(await nameFor(`${definition}\n`), definition).toBe('createPage')
    // Without the source text, the name cannot be checked.
    expect(await nameFor()).toBe('createPage')
  })

  it.each([
    'list.each(function (item) { throw 1 })',
    'list.each((item) => { throw 1 })',
    'list?.each(async function named(item) { throw 1 })',
    'each(list, function (item) { throw 1 })',
    'new each((resolve) => { throw 1 })',
  ])('does not name a callback after the method that calls it: %s', async (code) => {
    const text = JSON.stringify({ ...MAP, sourcesContent: [`${code}\nlist.each(1)\n`], mappings: 'AAAA,QACA' })
    const [callback] = await ask(`${at(1)}\n${at(9)}`, source(map(MAIN, { text })))
    expect(callback?.resolved).not.toHaveProperty('function')
  })

  it.each([
    // The file has a function with the name of the method.
    'const map = {}\nlist.map((x) => { throw 1 })\nfunction cb() { throw 2 }',
    'function success() {}\nsuccess((x, y = "(") => { throw 1 })',
    'const each = 1\nlist\n  .each(one, function () { throw 1 })',
  ])('does not name a callback after a function of its file that has the same name: %s', async (code) => {
    const lines = code.split('\n')
    const [call, thrown] = [/(?:map|each|success)\(/, /throw 1/].map((found) => {
      const line = lines.findIndex((it) => found.test(it) && !it.startsWith('function'))
      return [0, 0, line, (lines[line] as string).search(found)]
    }) as [SourceMapSegment, SourceMapSegment]
    const segments = [thrown, [8, ...call.slice(1)]] as SourceMapSegment[]
    const mappings = encodedMappings(new TraceMap({ version: 3, sources: ['a'], names: [], mappings: [segments] }))
    const text = JSON.stringify({ ...MAP, sourcesContent: [code], mappings })
    const [callback] = await ask(`${at(1)}\n${at(9)}`, source(map(MAIN, { text })))
    expect(callback?.resolved).toMatchObject({ line: (thrown[2] as number) + 1 })
    expect(callback?.resolved).not.toHaveProperty('function')
  })

  it('does not name a function after the method that calls it back', async () => {
    const code = 'const map = {}\nfunction cost() { throw 1 }\nlist.map(cost)\nlist.cost(1)'
    const nameAt = async (mappings: string, minified = 'f') => {
      const text = JSON.stringify({ ...MAP, sourcesContent: [code], mappings })
      const [frame] = await ask(`${at(1).replace('f', minified)}\n${at(9)}`, source(map(MAIN, { text })))
      return frame?.resolved?.function
    }
    // Columns 1 and 9 map to 2:19 and to line 3 or 4.
    expect(await nameAt('AACkB,QACb')).toBeUndefined()
    expect(await nameAt('AACkB,QAClB')).toBeUndefined()
    expect(await nameAt('AACkB,QAClB', 'Object.map')).toBe('map')
    expect(await nameAt('AACkB,QAElB')).toBe('cost')
  })

  it.each(['sub/sub', 'packages/order/packages/order'])(
    'accepts the root of the sub-package twice in a stack: %s',
    async (root) => {
      const entry = `${root.slice(0, (root.length - 1) / 2)}/index.js.map`
      const [frame] = await ask(`at f (https://${root}/index.js:1:1)`, source(map(entry)))
      expect(frame?.resolved?.line).toBe(1)
      // A literal match of the script's name takes precedence.
      const literal = map(`${root}/index.js.map`, { text: JSON.stringify({ ...MAP, mappings: 'AACA' }) })
      const [other] = await ask(`at f (https://${root}/index.js:1:1)`, source(map(entry), literal))
      expect(other?.resolved?.line).toBe(2)
    },
  )

  it('reports which of two main packages was used', async () => {
    const empty = JSON.stringify({ ...MAP, mappings: ';AAAA' })
    const [frame] = await ask(at(1), source(map(MAIN), map(FULL)))
    expect(frame?.note).toBe(
      `The frame was resolved with ${MAIN}. The archive also contains ${FULL} for clients that do not support sub-packages.`,
    )
    const [other] = await ask(at(1), source(map(MAIN, { text: empty }), map(FULL)))
    expect(other?.resolved?.line).toBe(1)
    expect(other?.note).toBe(
      `The frame was resolved with ${FULL}, which is for clients that do not support sub-packages. ${MAIN} does not contain all positions in the stack.`,
    )
    const [neither] = await ask(at(1), source(map(MAIN, { text: empty }), map(FULL, { text: empty })))
    expect(neither?.reason).toMatchObject({
      code: 'no-mapping-at-position',
      message: `The source map ${MAIN} contains no mapping for line 1, column 1.`,
    })
    // A frame in a sub-package shows that the client supports sub-packages.
    const inSub = await ask(
      `${at(1, 'sub/app-service.js')}\n${at(1)}`,
      source(map('sub/app-service.js.map', { subPackage: 'sub' }), map(MAIN, { text: empty }), map(FULL)),
    )
    expect(inSub.map(({ resolved }) => resolved?.line)).toEqual([1, undefined])
  })

  it('accepts a blank before the line number, as in some WeChat stacks', async () => {
    const frames = await ask(
      'at f (https://usr/app-service.js :1:1)\nat https://lib/WAService.js :1:1',
      source(map(MAIN)),
    )
    expect(frames.map(({ resolved, reason }) => resolved?.line ?? reason?.code)).toEqual([1, 'not-a-project-frame'])
  })

  it('resolves a stack in only one mini program', async () => {
    const both = source(map(MAIN, { appid: 'wx1' }), map(MAIN, { appid: 'wx2' }))
    expect((await ask(at(1), both))[0]?.reason).toMatchObject({
      code: 'ambiguous',
      message: 'Several mini programs have an upload of app-service.js for shop 1: wx1, wx2.',
    })
    expect((await ask(at(1), both, { appid: 'wx2' }))[0]?.resolved?.line).toBe(1)
    expect((await ask(at(1), both, { appid: 'wx3' }))[0]?.reason).toMatchObject({
      code: 'appid-mismatch',
      message: 'The appid in the stack is wx3, but app-service.js was uploaded for wx1, wx2.',
    })
    const open = source(map(MAIN))
    expect((await ask(at(1), open, { appid: 'wx3' }))[0]?.resolved?.line).toBe(1)
    const same = source(map(MAIN, { appid: 'wx1', contentKey: 'x' }), map(MAIN, { appid: '', contentKey: 'x' }))
    expect((await ask(at(1), same))[0]?.resolved?.line).toBe(1)
  })

  it('reports problems with a mini program map, and a frame without a column', async () => {
    expect((await ask(at(1), source(map(MAIN, { text: '{' }))))[0]?.reason).toMatchObject({
      code: 'map-unusable',
      message: expect.stringContaining(`The source map ${MAIN} cannot be read. `),
    })
    expect((await ask('at f (https://usr/app-service.js:1)', source(map(MAIN))))[0]?.reason?.code).toBe('no-position')
    expect((await ask(at(1, 'other.js'), source(map(MAIN))))[0]?.reason?.code).toBe('layout-mismatch')
  })

  it('resolves a stack with an archive on disk', async () => {
    const maps = [
      { entry: 'a.js.map', subPackage: '' },
      { entry: 'sub/b.js.map', subPackage: 'sub' },
    ]
    const archive = archivedMaps('/a.zip', { ...RELEASE, appid: 'wx1' }, maps)
    expect(await archive.findMaps(RELEASE, ['sub/b.js.map', 'x'])).toMatchObject([
      { entry: 'sub/b.js.map', subPackage: 'sub', appid: 'wx1', contentKey: '/a.zip:sub/b.js.map' },
    ])
    expect(await archive.entriesOf(RELEASE, 1)).toEqual(['a.js.map'])
    expect(await archive.entriesOf(RELEASE, 9)).toEqual(['a.js.map', 'sub/b.js.map'])
    for (const other of [
      { ...RELEASE, version: '2' },
      { ...RELEASE, service: 'blog' },
    ])
      expect([await archive.findMaps(other, ['a.js.map']), await archive.entriesOf(other, 9)]).toEqual([[], []])
    expect(await archive.releases(9)).toEqual([{ ...RELEASE, appid: 'wx1' }])
    expect((await archivedMaps('/a.zip', RELEASE, maps).findMaps(RELEASE, ['a.js.map']))[0]?.appid).toBe('')
  })
})

describe('a release without a matching file', () => {
  const kind = 'jvm_mapping_file' as const
  const missing = (query: object, files: object[], releases: object[] = []) =>
    explainReleaseMiss({ kind, ...RELEASE, ...query } as never, 'mapping', {
      findSymbolFiles: async () => files,
      releasesWith: async () => releases,
    } as never)
  const of = (service: string, ...versions: string[]) => versions.map((version) => ({ service, version }))
  const fix = 'Upload the mapping for the release, with the service and version that the app reports.'

  it.each<[string, Promise<object>, object]>([
    ['has no upload', missing({}, []), { code: 'no-artifact', message: 'No mapping was uploaded for shop 1.', fix }],
    [
      'has only another build',
      missing({ variant: 'release', buildId: 'a' }, [{ variant: 'debug' }]),
      { code: 'no-artifact', message: 'The mapping of shop 1 was uploaded for debug, but not for release a.', fix },
    ],
    [
      'has only another version',
      missing({}, [], [...of('shop', '2', '3', '2', '4', '5', '6', '7'), ...of('blog', '1')]),
      {
        code: 'version-mismatch',
        message: 'No upload for shop has the version 1. Uploaded versions: 2, 3, 4, 5, 6 and 1 more.',
      },
    ],
    [
      'has only another service',
      missing({}, [], [...of('blog', '1', '2'), ...of('site', '9')]),
      {
        code: 'service-mismatch',
        message: 'The mapping for version 1 was uploaded for blog, but not for the service shop.',
      },
    ],
    ['has no similar release', missing({}, [], of('blog', '2')), { code: 'no-artifact', fix }],
  ])('reports a release that %s', async (_, found, expected) => expect(await found).toMatchObject(expected))

  it('finds another version, however many releases other services have', async () => {
    const files = [...Array.from({ length: 60 }, (_, nth) => `other-${nth}`), 'shop'].map((service) => ({
      event: { type: kind, service, version: service === 'shop' ? '2' : '1', version_code: 1, variant: 'release' },
      parts: [],
    }))
    const source = artifactSourceOf(files as never)
    expect(await explainReleaseMiss({ kind, ...RELEASE }, 'mapping', source)).toMatchObject({
      code: 'version-mismatch',
    })
    const long = await explainReleaseMiss({ kind, service: 'none', version: '1' }, 'mapping', {
      releasesWith: async () => of('x'.repeat(1_000_000), '1'),
    } as never)
    expect(long.message.length).toBeLessThan(400)
  })
})
