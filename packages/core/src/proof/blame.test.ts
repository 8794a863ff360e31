import { describe, expect, it } from 'vitest'
import { comparedOf } from '../kinds/index.ts'
import type { SymbolUpload } from '../model/plan.ts'
import { withFaults } from './blame.ts'
import { Prover } from './prove.ts'
import { movedLinesOf, type TransformFault } from './transform-faults.ts'

const EMPTY: TransformFault = { plugin: 'careless', returned: 'an empty map' }
const NONE: TransformFault = { plugin: 'careless', returned: 'no map' }
const right = { places: 9, resolved: 9 }
const wrong = { places: 9, resolved: 1, wrong: 'the code does not match the source map' }
const context = { named: new Set(['src/a.js', 'src/b.js']), cwd: '/app' }
const blamed = (sources: Record<string, typeof right>, faults: Record<string, TransformFault>, unmapped = 0) =>
  withFaults({ sources: new Map(Object.entries(sources)), unmapped }, new Map(Object.entries(faults)), context)

describe('the plugin at fault', () => {
  it('names a plugin only for a source that does not resolve', () => {
    const { own, problems } = blamed(
      { 'src/a.js': right, 'src/b.js': wrong },
      { '/app/src/a.js': NONE, '/app/src/b.js': NONE },
    )
    expect(Object.fromEntries(own.sources)).toEqual({
      'src/a.js': right,
      'src/b.js': { ...wrong, wrong: 'careless returned no source map' },
    })
    expect(problems).toEqual([])
  })

  it('names no plugin if two sources are possible', () => {
    const faults = { '/app/one/src/b.js': NONE, '/app/two/src/b.js': EMPTY }
    expect(blamed({ 'src/b.js': wrong }, faults).own.sources.get('src/b.js')).toEqual(wrong)
  })

  it('reports a source that no map contains', () => {
    const { own, problems } = blamed({ 'src/a.js': right }, { '/app/src/c.js': EMPTY })
    expect(own.sources.get('src/c.js')?.wrong).toBe('careless returned an empty source map')
    expect(problems).toMatchObject([{ code: 'map-incomplete', file: 'src/c.js' }])
    // The map contains the source, but no checked position is in it.
    expect(blamed({ 'src/a.js': right }, { '/app/src/b.js': EMPTY }).problems).toEqual([])
    // The source file contained only types, so there is nothing to map.
    expect(blamed({ 'src/a.js': right }, { '/app/src/c.js': NONE }).problems).toEqual([])
  })

  it('accepts a missing source if maps contain its published URL', () => {
    const named = (source: string) => {
      const upload = {
        event: { type: 'js_sourcemap' },
        parts: Object.entries({
          source_map: JSON.stringify({ version: 3, sources: [source], names: [], mappings: 'AAAA' }),
          minified_file: 'start()',
        }).map(([name, text]) => ({
          name,
          filename: name,
          path: '/app/dist/a.js',
          bytes: text.length,
          content: Buffer.from(text),
        })),
      } as unknown as SymbolUpload
      const prover = new Prover({ cwd: '/app', filesOf: comparedOf, faults: () => new Map([['/app/src/c.js', EMPTY]]) })
      prover.prove(upload)
      return prover.proof([upload]).problems.map(({ file }) => file)
    }
    expect(named('https://raw.githubusercontent.com/shop/app/1.2.3/src/c.js')).toEqual([])
    expect(named('https://raw.githubusercontent.com/shop/app/1.2.3/src/d.js')).toContain('src/c.js')
    expect(named('webpack://shop/packages/other/src/c.js')).toContain('src/c.js')
  })

  it('names the plugin for a source whose mappings the bundler dropped, with or without unmapped code', () => {
    const dropped: TransformFault = { ...NONE, isDropped: true }
    const { own, problems } = blamed({ 'src/a.js': right }, { '/app/src/c.js': dropped })
    expect(own.sources.get('src/c.js')).toEqual({ places: 0, resolved: 0, wrong: 'careless returned no source map' })
    expect(problems).toMatchObject([{ code: 'map-incomplete', file: 'src/c.js' }])
    // The problem with the whole script already covers this source.
    const more = blamed({}, { '/app/src/c.js': dropped }, 2)
    expect(more.own.sources.get('src/c.js')?.wrong).toBe('careless returned no source map')
    expect(more.own.lostBy).toBe('src/c.js: careless returned no source map')
    expect(more.problems).toEqual([])
    expect(blamed({ 'src/a.js': right }, { '/app/src/b.js': dropped }).problems).toEqual([])
  })

  it('reports one throw or call on another line if a transform moved the lines', () => {
    const moving: TransformFault = { ...NONE, movedLines: new Set([3]) }
    const astray = { ...right, strays: 1 }
    const { own, problems } = blamed({ 'src/a.js': right, 'src/b.js': astray }, { '/app/src/b.js': moving })
    expect(own.sources.get('src/b.js')).toEqual({ ...astray, wrong: 'careless returned no source map' })
    expect(problems).toMatchObject([{ code: 'map-stale', file: 'src/b.js' }])
    expect(blamed({ 'src/b.js': right }, { '/app/src/b.js': moving }).problems).toEqual([])
  })

  it('recognizes moved lines by the source', () => {
    const lines = new Set([3])
    const names = ['webpack://app/./src/a.js', '../src/b.js', 'node_modules/x/index.js']
    const faults = new Map([
      ['/app/src/a.js', NONE],
      ['/app/src/b.js', { ...NONE, movedLines: lines }],
    ])
    expect(movedLinesOf(faults, names)).toEqual(new Map([[1, lines]]))
    expect(movedLinesOf(new Map([['/app/src/a.js', NONE]]), names)).toBeUndefined()
  })

  it('reports missing sources only after all maps are examined', () => {
    const uploads = ['a.js', 'b.js'].map((file) => {
      const part = (name: string, text: string) => ({ name, path: file, content: Buffer.from(text) })
      const map = { version: 3, sources: [file], sourcesContent: ['start()'], names: [], mappings: 'AAAA' }
      return {
        event: { type: 'js_sourcemap' },
        parts: [part('source_map', JSON.stringify(map)), part('minified_file', 'start()')],
      } as unknown as SymbolUpload
    })
    const prover = new Prover({ cwd: '/app', filesOf: comparedOf, faults: () => new Map([['/app/src/c.js', EMPTY]]) })
    const proven = uploads.map((upload) => {
      prover.prove(upload)
      return prover.proof(uploads).problems.map(({ file }) => file)
    })
    expect(proven).toEqual([[], ['src/c.js']])
  })

  it('names the plugin for unmapped code unless all code from the source resolves', () => {
    expect(blamed({ 'src/a.js': right }, { '/app/src/c.js': EMPTY }, 8).own.lostBy).toBe(
      'src/c.js: careless returned an empty source map',
    )
    expect(blamed({ 'src/a.js': right }, { '/app/src/a.js': EMPTY }, 8).own.lostBy).toBeUndefined()
    for (const source of [wrong, { places: 0, resolved: 0 }])
      expect(blamed({ 'src/a.js': source }, { '/app/src/a.js': EMPTY }, 8).own.lostBy).toBe(
        'src/a.js: careless returned an empty source map',
      )
  })
})

it('examines each fault and each name once, regardless of their number', () => {
  let looked = 0
  class Counted extends Set<string> {
    override *[Symbol.iterator]() {
      for (const name of super[Symbol.iterator]()) {
        looked++
        yield name
      }
      return undefined
    }
  }
  const names = Array.from({ length: 5000 }, (_, nth) => `src/pages/${nth}/page.tsx`)
  const faults = new Map(names.map((name) => [`/app/${name}`, { ...EMPTY, movedLines: new Set([1]) }]))
  const own = { sources: new Map(names.map((name) => [name, wrong])), unmapped: 0 }
  const found = withFaults(own, faults, { named: new Counted(names), cwd: '/app' })
  expect([...found.own.sources.values()].every((it) => it.wrong === 'careless returned an empty source map')).toBe(true)
  expect(found.problems).toEqual([])
  expect(looked).toBeLessThanOrEqual(2 * names.length)
  expect(movedLinesOf(faults, names)?.size).toBe(names.length)
})
