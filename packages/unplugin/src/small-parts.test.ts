import type { Settings } from '@symup/core'
import { describe, expect, it, vi } from 'vitest'
import { rollupDebugIds } from './debug-id/rollup.ts'
import type { SymupOptions } from './options.ts'
import { prefixOfFiles, prefixSettings } from './prefix.ts'
import { progressTo } from './terminal.ts'

// Tests the code that several bundler plugins share.

describe('the prefix for the files of a build', () => {
  const cdn = {
    value: 'https://cdn/',
    from: 'base',
    exceptionFor: (file: string) => (file === 'sw.js' ? '/' : undefined),
  }
  const from = (kind: 'option' | 'inferred') =>
    ({ minifiedPathPrefix: { value: '/own', from: { kind, name: '' }, overrode: [] } }) as unknown as Settings

  it('takes the prefix from the bundler unless the user provides a function', () => {
    const own = () => '/x'
    expect(prefixSettings({ service: 's' }, cdn)).toEqual({ options: { service: 's' }, inferredPrefix: cdn })
    expect(prefixSettings({}, { because: 'why' })).toEqual({ options: {}, noPrefixBecause: 'why' })
    expect(prefixSettings({}, undefined)).toEqual({ options: {} })
    expect(prefixSettings({ service: 's', minifiedPathPrefix: own }, cdn)).toEqual({
      options: { service: 's', minifiedPathPrefix: undefined },
      needsPrefix: false,
    })
  })

  it('takes the prefix from the user, else from the output, else from the bundler', () => {
    const output = { directory: '/app/dist/esm', formats: new Map([['a.js', 'es']]) }
    const prefixIn = (own: SymupOptions, prefix: typeof cdn | undefined, settings: Settings, more = {}) =>
      prefixOfFiles(own, prefix, { settings, output: { ...output, ...more }, cwd: '/app' })
    const asked: unknown[] = []
    const own = (...given: unknown[]) => `/${asked.push(given)}`
    const byFunction = prefixIn({ minifiedPathPrefix: own }, cdn, from('inferred')) as (file: string) => string
    expect([byFunction('a.js'), byFunction('b.js')]).toEqual(['/1', '/2'])
    expect(asked).toEqual([
      ['a.js', { directory: 'dist/esm', format: 'es' }],
      ['b.js', { directory: 'dist/esm' }],
    ])
    expect(prefixIn({}, cdn, from('option'), { prefix: '/output/' })).toBe('/own')
    expect(prefixIn({}, cdn, from('inferred'), { prefix: '/output/' })).toBe('/output/')
    expect(prefixIn({}, undefined, from('inferred'))).toBe('/own')
    expect(prefixIn({}, undefined, {} as Settings)).toBe('')
    const each = prefixIn({}, cdn, from('inferred')) as (file: string) => string
    expect([each('sw.js'), each('a.js')]).toEqual(['/', '/own'])
  })
})

describe('the progress of an upload', () => {
  it('shows no progress if details are hidden', () => {
    expect(progressTo({ logLevel: 'warn' })).toEqual({})
  })

  it('is logged with the name of the plugin', () => {
    const info = vi.spyOn(console, 'info').mockImplementation(() => undefined)
    const { isTTY } = process.stderr
    Object.assign(process.stderr, { isTTY: false })
    const { progress, progressEnd } = progressTo({ logLevel: 'info' })
    const retrying = { attempt: 2, attempts: 5 }
    progress?.({ done: 3, lost: 0, refused: 0, total: 9, bytes: 3, lostBytes: 0, totalBytes: 9, retrying })
    progressEnd?.()
    expect(info.mock.calls).toEqual([['[symup] 3/9 sent, retrying (attempt 2 of 5), 3 B of 9 B']])
    Object.assign(process.stderr, { isTTY })
    info.mockRestore()
  })
})

it('adds a debug id to the start of a chunk and the end of its map, and keeps existing ids', () => {
  const [early, late] = rollupDebugIds()
  expect([early.augmentChunkHash?.(), late.augmentChunkHash]).toEqual(['symup debug id 1', undefined])
  expect([early.generateBundle.order, late.generateBundle.order]).toEqual(['pre', 'post'])
  const ID = '11111111-2222-5333-8444-555555555555'
  const map = () => ({ type: 'asset' as const, source: '{"version":3,"mappings":""}' })
  const bundle = {
    'a.js': { type: 'chunk' as const, fileName: 'a.js', code: 'a()\n', map: {}, sourcemapFileName: 'maps/a.map' },
    'maps/a.map': { ...map(), fileName: 'maps/a.map' },
    'bare.js': { type: 'chunk' as const, fileName: 'bare.js', code: 'b()\n', map: null },
    'own.js': { type: 'chunk' as const, fileName: 'own.js', code: `c()\n//# debugId=${ID}\n`, map: {} },
    'own.js.map': { ...map(), fileName: 'own.js.map', source: Buffer.from('{"version":3,"mappings":""}') },
    'worker.js': { type: 'asset' as const, fileName: 'worker.js', source: Buffer.from(`d()\n//# debugId=${ID}`) },
    'worker.js.map': { ...map(), fileName: 'worker.js.map' },
    'style.css': { type: 'asset' as const, fileName: 'style.css', source: `/* //# debugId=${ID} */` },
    'style.css.map': { ...map(), fileName: 'style.css.map' },
  }
  early.generateBundle.handler({}, bundle)
  const [, id] = /\n\/\/# debugId=([0-9a-f-]{36})/.exec(bundle['a.js'].code) ?? []
  expect(id).toBeDefined()
  expect(bundle['bare.js'].code).toBe('b()\n')
  expect(bundle['own.js'].code).toBe(`c()\n//# debugId=${ID}\n`)
  expect(bundle['maps/a.map'].source).not.toContain('debugId')
  late.generateBundle.handler({}, bundle)
  const idOf = (name: 'maps/a.map' | 'own.js.map' | 'worker.js.map' | 'style.css.map') => {
    const { debug_id, debugId } = JSON.parse(String(bundle[name].source))
    return debugId ?? debug_id
  }
  expect([idOf('maps/a.map'), idOf('own.js.map'), idOf('worker.js.map'), idOf('style.css.map')]).toEqual([
    id,
    ID,
    ID,
    undefined,
  ])
})
