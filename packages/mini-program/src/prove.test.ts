import { mkdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { encodedMap, TraceMap } from '@jridgewell/trace-mapping'
import { build } from 'esbuild'
import { beforeEach, describe, expect, it } from 'vitest'
import { writeZip } from '../../../test/support/crafted-zip.ts'
import { useDirectory } from '../../../test/support/directory.ts'
import { type PackOptions, pack } from './index.ts'

const place = useDirectory('each')
let dist: string
beforeEach(() => {
  dist = join(place, 'dist')
})

const cart = (first: string) => `${first}
export interface Item { price: number; count: number }
export function total(items: Item[]): number {
  if (items.length === 0) throw new RangeError('the cart is empty')
  return items.map(({ price, count }) => price * count).reduce((sum, part) => sum + part, 0)
}
export function checkout(items: Item[], pay: { transfer(sum: number): void }) {
  const sum = total(items)
  if (!Number.isFinite(sum)) throw new TypeError('a price is missing')
  pay.transfer(sum)
}
`
const PAGES = ['pages/index/index', 'packageA/pages/cart/cart']

/** Simulates a framework's build with a page in the main package and one in a sub-package. */
async function buildPages(first = '') {
  for (const page of PAGES) {
    const source = join(place, 'src', `${page}.ts`)
    mkdirSync(dirname(source), { recursive: true })
    writeFileSync(source, cart(first))
    const outfile = join(dist, `${page}.js`)
    await build({ entryPoints: [source], outfile, sourcemap: 'external', bundle: true, format: 'cjs', minify: true })
  }
  const subPackages = [{ root: 'packageA', pages: ['pages/cart/cart'] }]
  writeFileSync(join(dist, 'app.json'), JSON.stringify({ pages: PAGES.slice(0, 1), subPackages }))
}

async function proven(from = dist, options: Partial<PackOptions> = {}) {
  const { proof, problems, archive } = await pack(from, { output: join(place, 'made.zip'), cwd: place, ...options })
  return {
    lines: proof?.lines.map(({ severity, text }) => `${severity} ${text}`),
    problems: problems.map(({ code, severity, file }) => [severity, code, file].join(' ')),
    isPacked: archive !== undefined,
  }
}

const change = (file: string, changed: (text: string) => string) =>
  writeFileSync(join(dist, file), changed(readFileSync(join(dist, file), 'utf8')))
const RIGHT = /^good (\d+) of \1 positions in 2 of your source files resolve to the right line \(2 scripts\)\.$/

describe('checking scripts with the packed maps', () => {
  it('accepts positions that map to their lines, as built', async () => {
    await buildPages()
    expect(await proven()).toEqual({ lines: [expect.stringMatching(RIGHT)], problems: [], isPacked: true })
    expect(await proven(dist, { proof: false })).toEqual({ lines: undefined, problems: [], isPacked: true })
  })

  it('accepts the separate map tree of uni-app', async () => {
    await buildPages()
    for (const page of PAGES) {
      const apart = join(place, '.sourcemap/dist', `${page}.js.map`)
      mkdirSync(dirname(apart), { recursive: true })
      renameSync(join(dist, `${page}.js.map`), apart)
    }
    expect((await proven()).lines).toEqual([expect.stringMatching(RIGHT)])
  })

  it('reports a map from another build', async () => {
    await buildPages('console.log(["a", "b"].join().repeat(3))\nexport const rates = new Map([["a", 1]])\n')
    const other = readFileSync(join(dist, 'pages/index/index.js.map'))
    await buildPages()
    writeFileSync(join(dist, 'pages/index/index.js.map'), other)
    const { lines, problems, isPacked } = await proven()
    expect(lines?.[0]).toMatch(/^warning /)
    expect(problems).toContainEqual(expect.stringMatching(/^error map-(?:stale|offset) dist\/pages\/index\/index\.js$/))
    expect(isPacked).toBe(true)
  })
})

it('names Taro if Taro puts shared scripts before the code of a sub-package', async () => {
  await buildPages()
  change('packageA/pages/cart/cart.js', (text) => `"use strict";require("../../sub-vendors.js");${text}`)
  const { problems } = await pack(dist, { output: join(place, 'made.zip'), cwd: place })
  expect(problems).toMatchObject([{ code: 'map-offset', fix: expect.stringContaining('mini.optimizeMainPackage') }])
})

it('accepts an empty map for a script without code', async () => {
  await buildPages()
  mkdirSync(join(dist, 'common'))
  const map = {
    version: 3,
    sources: ['logo.png'],
    sourcesContent: ['export default "/logo.png"'],
    names: [],
    mappings: 'gCAAe',
  }
  writeFileSync(join(dist, 'common/assets.js.map'), JSON.stringify(map))
  writeFileSync(join(dist, 'common/assets.js'), '"use strict";exports._imports_0="/static/logo.png";\n')
  expect((await proven()).problems).toEqual([])
  change('common/assets.js', (text) => `${text}exports.crash=()=>a.b();\n`)
  expect((await proven()).problems).toEqual(['warning map-one-segment __FULL__/common/assets.js.map'])
})

it('accepts a script with an empty map that is too large to read', async () => {
  await buildPages()
  const map = { version: 3, file: 'data.js', sources: [], sourcesContent: [], names: [], mappings: '' }
  writeFileSync(join(dist, 'data.js.map'), JSON.stringify(map))
  writeFileSync(join(dist, 'data.js'), '')
  truncateSync(join(dist, 'data.js'), 3 * 1024 ** 3)
  expect((await proven()).problems).toEqual(['warning map-blank __FULL__/data.js.map'])
})

it('accepts an empty map for a script with only bundler helpers', async () => {
  await buildPages()
  for (const name of ['babelHelpers', 'helpers']) {
    const map = { version: 3, file: `${name}.js`, sources: [], sourcesContent: [], names: [], mappings: '' }
    writeFileSync(join(dist, `${name}.js`), '"use strict";exports.g=function(e){return e&&e.__esModule?e.default:e};\n')
    writeFileSync(join(dist, `${name}.js.map`), JSON.stringify(map))
  }
  expect((await proven()).problems).toEqual(['warning map-blank __FULL__/helpers.js.map'])
})

describe('a WeChat archive without scripts', () => {
  /** Simulates the host: it bundles the build output and writes a map that ends at its input scripts. */
  function exported(change = (script: string) => script): string {
    const given = readFileSync(join(dist, 'pages/index/index.js'), 'utf8')
    const places = [...given.matchAll(/throw|\.map/g)].map(({ index }, nth) => [nth, 0, 0, index])
    const map = { version: 3, sources: ['pages/index/index.js'], names: [], mappings: [[], places] }
    const content = JSON.stringify({ ...encodedMap(new TraceMap(map as never)), sourcesContent: [change(given)] })
    const archive = join(place, 'exported.zip')
    writeZip(archive, { entries: [{ name: '/__FULL__/app-service.js.map', content }] })
    return archive
  }

  it('does not check a WeChat archive without scripts, and says so', async () => {
    await buildPages()
    expect(await proven(exported())).toEqual({
      lines: ['info No positions were checked because the scripts for these source maps are missing.'],
      problems: [],
      isPacked: true,
    })
  })

  it('checks a WeChat archive against the build output that it was made from', async () => {
    await buildPages()
    const { lines, problems } = await proven(exported(), { over: dist })
    expect(lines).toEqual([
      expect.stringMatching(
        /^good (\d+) of \1 positions in 1 of your source files resolve to the right line \(1 script\)\.$/,
      ),
      'info The scripts from WeChat are not available, so the positions in them were not checked.',
    ])
    expect(problems).toEqual([])
  })

  it.each([
    ['line endings', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a sourceMappingURL comment', (text: string) => `${text}//# sourceMappingURL=index.js.map\n`],
  ])('accepts scripts that differ from the build output in %s', async (_, change) => {
    await buildPages()
    expect((await proven(exported(change), { over: dist })).problems).toEqual([])
  })

  it('reports an archive from another build', async () => {
    await buildPages()
    const archive = exported((text) => text.replace('the cart is empty', 'no items'))
    const result = await pack(archive, { output: join(place, 'made.zip'), over: dist })
    expect(result.problems).toMatchObject([
      {
        ...{ code: 'map-stale', severity: 'warning' },
        message: `The archive and ${dist} are from different builds, because the content of pages/index/index.js differs.`,
      },
    ])
  })
})
