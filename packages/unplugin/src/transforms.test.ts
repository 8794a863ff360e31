import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryOutput } from '../../../test/bundlers/bundle.ts'
import { TransformWatch } from './transforms.ts'

const CODE = 'start(1)\n'.repeat(300)
const fine = { mappings: 'AAAA;AACA;AACA;AACA'.repeat(20) }

async function seen(transform: unknown, { name = 'user', id = '/app/src/a.ts', code = 'x()' } = {}) {
  const plugin = { name, transform }
  const watch = new TransformWatch()
  watch.watch([undefined, false, [[plugin]]])
  const hook = plugin.transform as
    | ((code: string, id: string) => unknown)
    | { handler(code: string, id: string): unknown }
  const result = await (typeof hook === 'function' ? hook(code, id) : hook.handler(code, id))
  return { result, faults: Object.fromEntries([...watch.faults].map(([file, { returned }]) => [file, returned])) }
}

it.each([
  ['text', () => CODE, 'no map'],
  ['null', () => ({ code: CODE, map: null }), 'no map'],
  ['an empty map', async () => ({ code: CODE, map: { mappings: '' } }), 'an empty map'],
  ['an empty map as text', () => ({ code: CODE, map: '{"version":3,"mappings":";;"}' }), 'an empty map'],
  ['one mapping', { order: 'pre', handler: () => ({ code: CODE, map: { mappings: 'AAAA' } }) }, 'a coarse map'],
  ['a whole map', () => ({ code: CODE, map: fine }), undefined],
  ['nothing', () => undefined, undefined],
  ['the same code', (code: string) => ({ code, map: null }), undefined],
  ['code that calls nothing', () => ({ code: 'export default 1', map: null }), undefined],
])('%s: %#', async (_, transform, returned) => {
  const own = typeof transform === 'function' ? transform : transform.handler
  const { result, faults } = await seen(transform)
  expect(result).toEqual(await (own as (code: string) => unknown)('x()'))
  expect(faults).toEqual(returned === undefined ? {} : { '/app/src/a.ts': returned })
})

it('libraries, other files than code, modules without a file, and what Vite itself does are not looked at', async () => {
  const ids = ['/app/node_modules/a.js', '/app/a.yaml', '\0a.js', '~icons/mdi/home.svelte', 'virtual:routes.js']
  for (const more of [...ids.map((id) => ({ id })), { name: 'rolldown:json' }])
    expect((await seen(() => CODE, more)).faults).toEqual({})
})

it('a query belongs to the file, and a frozen plugin works as before', async () => {
  expect((await seen(() => CODE, { id: '/app/App.vue?vue&type=script' })).faults).toEqual({ '/app/App.vue': 'no map' })
  const frozen = Object.freeze({ name: 'user', transform: () => CODE })
  expect(() => new TransformWatch().watch([frozen])).not.toThrow()
})

it.each([
  ['.ts', true],
  ['.mjs', true],
  ['.cts', true],
  ['.jsx', true],
  ['.vue', true],
  ['.svelte', true],
  ['.astro', true],
  ['.json', false],
  ['.css', false],
  ['', false],
])('a file that ends in %j is code: %s', async (end, isCode) => {
  const id = `/app/src/a${end}`
  expect((await seen(() => CODE, { id })).faults).toEqual(isCode ? { [id]: 'no map' } : {})
})

it.each(['builtin:x', 'rolldown:x', 'symup', 'symup:late', 'commonjs'])('%s is trusted', async (name) => {
  expect((await seen(() => CODE, { name })).faults).toEqual({})
})

it('what is called as Vite’s own plugins are may be another’s: it is named where it gives no map back', async () => {
  const name = 'vite:remove-console'
  expect((await seen(() => ({ code: CODE, map: null }), { name })).faults).toEqual({ '/app/src/a.ts': 'no map' })
  for (const mappings of ['', 'AAAA'])
    expect((await seen(() => ({ code: CODE, map: { mappings } }), { name })).faults).toEqual({})
})

it('the style of a component is not its code', async () => {
  for (const id of ['/app/A.vue?vue&type=style&index=0&lang.css', '/app/A.svelte?svelte&type=style&lang.css'])
    for (const name of ['user', 'vite:css']) expect((await seen(() => CODE, { id, name })).faults).toEqual({})
})

it.each(['vite', 'my-commonjs', 'commonjs-2', 'symupx'])('%s is not', async (name) => {
  expect((await seen(() => CODE, { name })).faults).toEqual({ '/app/src/a.ts': 'no map' })
})

it('Rollup drops all mappings of a source where a transform returns code alone, and keeps them where it returns null', async () => {
  const dropped = async (made: (code: string) => unknown, id = '/app/src/a.ts') => {
    const plugin = { name: 'user', transform: made as (code: string, id: string) => unknown }
    const watch = new TransformWatch()
    watch.watch([plugin])
    plugin.transform('x()', id)
    return [...watch.faults.values()].map(({ isDropped = false }) => isDropped)
  }
  expect(await dropped(() => CODE)).toEqual([true])
  expect(await dropped(() => ({ code: CODE }))).toEqual([true])
  expect(await dropped(() => ({ code: CODE, map: null }))).toEqual([false])
  expect(await dropped(() => ({ code: CODE, map: { mappings: '' } }))).toEqual([true])
  expect(await dropped((code) => code)).toEqual([true])
  expect(await dropped((code) => ({ code, map: null }))).toEqual([])
  // Its text, or a worker of it, is not the module.
  expect(await dropped(() => CODE, '/app/src/a.ts?raw')).toEqual([false])
  expect(await dropped(() => CODE, '/app/src/A.vue?vue&type=script&lang.ts')).toEqual([true])
})

it('what is dropped stays so, whatever the next transforms keep', () => {
  const watch = new TransformWatch()
  const plugins = [
    { name: 'drops', transform: () => ({ code: CODE }) },
    { name: 'keeps', transform: () => ({ code: `${CODE}x()`, map: null }) },
  ] as { name: string; transform: (code: string, id: string) => unknown }[]
  watch.watch(plugins)
  for (const { transform } of plugins) transform('x()', '/a.ts')
  expect(watch.faults.get('/a.ts')).toEqual({ plugin: 'drops', returned: 'no map', isDropped: true })
})

it.each([
  ['a line is gone', 'log(1)\npay()\nsend()', 'pay()\nsend()', [0, 1]],
  ['two are gone', 'a {\nlog(1)\npay()\n}\nb {\nlog(2)\nsend()\n}', 'a {\npay()\n}\nb {\nsend()\n}', [1, 4]],
  ['a line is new', 'pay()\nsend()', 'import "./a"\npay()\nsend()', [1, 2]],
  ['lines changed places', 'log(1)\npay()\nsend()', 'pay()\nlog(1)\nsend()', [0, 1]],
  ['one of several is gone', 'pay()\nlog()\nlog()\nsend()', 'pay()\nlog()\nsend()', [2]],
  ['a line is empty', 'log(1)\npay()\nsend()', '\npay()\nsend()', undefined],
  ['words changed', 'pay(BUILD)\nsend()', 'pay(42)\nsend()', undefined],
  ['lines end otherwise', 'pay()\r\nsend()\r\n', 'pay()\nsend()\n', undefined],
  ['the end is longer', 'pay()\nsend()\n', 'pay()\nsend()\naccept()\npay()', undefined],
  ['the end is gone', 'pay()\nsend()\nlog()', 'pay()', undefined],
  ['what follows does nothing', 'pay()\n// a\nexport { pay }', 'pay()\nexport { pay }', undefined],
  ['types are gone, and a line of them', 'type A = 1\npay(a as A, late, 1)', 'pay(a, late, 1);', [0]],
  [
    'types are gone from their lines',
    'pay(a as A, late)\nsend<B>(b, late)',
    'pay(a, late);\nsend(b, late);',
    undefined,
  ],
  [
    'a line became two',
    'log()\nif (a < 0) throw new E("no")\nlog()',
    'log()\nif (a < 0)\n    throw new E("no");\nlog()',
    [2, 3],
  ],
  ['one of two that hold the words may be meant', 'a\npay(a, b, c)\npay(a, b, c, d)', 'pay(a, b, c);', undefined],
])('which lines are moved, where %s', (_, code, made, moved) => {
  const { faults } = transformed([{ code: made, map: null }], code)
  expect(faults.get('/a.ts')?.movedLines).toEqual(moved && new Set(moved))
  // What the next one keeps does not bring them back.
  const { faults: later } = transformed(
    [
      { code: made, map: null },
      { code: `${made} `, map: null },
    ],
    code,
  )
  expect(later.get('/a.ts')).toEqual({
    plugin: moved ? 'user0' : 'user1',
    returned: 'no map',
    ...(moved && { movedLines: new Set(moved) }),
  })
})

function transformed(results: readonly object[], given: string): TransformWatch {
  const watch = new TransformWatch()
  let code = given
  for (const [index, result] of results.entries()) {
    const plugin = { name: `user${index}`, transform: (..._: string[]): unknown => result }
    watch.watch([plugin])
    code = (plugin.transform(code, '/a.ts') as { code: string }).code
  }
  return watch
}

it('what no output holds was not lost', () => {
  const watch = new TransformWatch()
  const plugin = {
    name: 'user',
    transform: ((code: string) => ({ code: `${code}x()` })) as (...all: string[]) => unknown,
  }
  watch.watch([plugin])
  for (const file of ['used', 'unused', 'data']) plugin.transform('', `/${file}.ts`)
  expect(watch.faults.size).toBe(3)
  watch.wrote('/dist', {
    'style.css': { type: 'asset' },
    'main.js': {
      type: 'chunk',
      modules: {
        '/used.ts?lang.ts': { code: 'x()' },
        '/unused.ts': { code: null },
        '/data.ts': { code: 'const a = 1' },
      },
    },
  })
  expect([...watch.faults.keys()]).toEqual(['/used.ts'])
})

it('of a script with an empty map, what is made of the own files is lost', () => {
  using directory = temporaryOutput()
  const map = (mappings: string) => JSON.stringify({ version: 3, sources: [], names: [], mappings })
  writeFileSync(join(directory.path, 'blank.js.map'), map(';;'))
  writeFileSync(join(directory.path, 'mapped.js.map'), map('AAAA'))
  const modules = (...ids: string[]) => Object.fromEntries(ids.map((id) => [id, { code: 'x()' }]))
  const watch = new TransformWatch()
  watch.wrote(directory.path, {
    'blank.js': {
      type: 'chunk',
      modules: {
        ...modules('/a.ts', '/b.vue?vue&type=script&lang.ts', '/c.ts?worker', '/d.svg', '\0e.js', '/node_modules/f.js'),
        '/constant.ts': { code: 'const a = 1' },
      },
    },
    'mapped.js': { type: 'chunk', modules: modules('/g.ts') },
    'without.js': { type: 'chunk', modules: modules('/h.ts') },
  })
  expect([...watch.faults.keys()]).toEqual(['/a.ts', '/b.vue'])
})

it('a path may be of Windows', async () => {
  expect((await seen(() => CODE, { id: 'C:\\app\\a.ts' })).faults).toEqual({ 'C:/app/a.ts': 'no map' })
})

it('a map is coarse from two hundred characters of code for each mapping on', async () => {
  const code = (length: number) => 'x()'.padEnd(length, ' ')
  const flaw = async (length: number, map: unknown) =>
    Object.values((await seen(() => ({ code: code(length), map }))).faults)
  expect(await flaw(200, { mappings: 'AAAA,' })).toEqual([])
  expect(await flaw(201, { mappings: 'AAAA,' })).toEqual(['a coarse map'])
  expect(await flaw(201, { mappings: 'AAAA,;;;;;' })).toEqual(['a coarse map'])
  expect(await flaw(200, { mappings: [[[0, 0, 0, 0]], []] })).toEqual([])
  expect(await flaw(201, { mappings: [[[0, 0, 0, 0]], []] })).toEqual(['a coarse map'])
  expect(await flaw(201, { mappings: [[]] })).toEqual(['an empty map'])
  expect(await flaw(201, '{"mappings" : "AAAA,"}')).toEqual(['a coarse map'])
  expect(await flaw(201, '')).toEqual(['an empty map'])
  expect(await flaw(201, 'nothing to read')).toEqual([])
  expect(await flaw(201, { mappings: 5 })).toEqual([])
})

it.each([false, true])('what Vite transforms for a server counts where its output is uploaded: %s', (takesServers) => {
  const plugin = {
    name: 'user',
    transform: (_: string, id: string, options?: { ssr?: boolean }) => `${id}${options}${CODE}`,
  }
  const watch = new TransformWatch()
  watch.watch([plugin], { takesServers })
  plugin.transform('', '/server.ts', { ssr: true })
  plugin.transform('', '/browser.ts', { ssr: false })
  plugin.transform('', '/rollup.ts')
  const browsers = ['/browser.ts', '/rollup.ts']
  expect([...watch.faults.keys()]).toEqual(takesServers ? ['/server.ts', ...browsers] : browsers)
})

it('a plugin is watched once, and the last that changed a file is named', () => {
  const watch = new TransformWatch()
  const plugin = { name: 'first', transform: () => CODE }
  watch.watch([plugin])
  const { transform } = plugin
  watch.watch([plugin])
  expect(plugin.transform).toBe(transform)
  for (const name of ['first', 'second']) watch.see(name, { code: '', id: '/a.ts', result: { code: CODE } })
  watch.see('third', { code: '', id: '/a.ts', result: { code: CODE, map: fine } })
  watch.see('fourth', { code: '', id: '/a.ts', result: { map: null } })
  watch.see('fifth', { code: '', id: 5, result: CODE })
  expect([...watch.faults]).toEqual([['/a.ts', { plugin: 'second', returned: 'no map' }]])
})

it.each([
  ['Where are you?\n<p class="a b">You are being redirected.</p>', false],
  ['<h1>Sorry</h1>\n<style>\n  h1 { color: red }\n</style>', false],
  ['<h1>{title()}</h1>', true],
  ['<p>Sorry</p>\n<script>\n  start()\n</script>', true],
  ['---\nimport A from "./a"\n---\n<A />', true],
  ['<p @click="close">Sorry</p>', true],
  ['<p v-if="open">Sorry</p>', true],
])('of markup alone no map is expected: %j', async (code, isCode) => {
  const id = '/app/src/routes/+page.svelte'
  const { faults } = await seen(() => ({ code: CODE, map: { mappings: '' } }), { id, code })
  expect(faults).toEqual(isCode ? { [id]: 'an empty map' } : {})
})

it('for webpack and esbuild what has no map is the source, whose lines are then those of what was made', () => {
  const watch = new TransformWatch()
  watch.see('loader', { code: 'log(1)\npay()', id: '/a.ts', result: { code: 'pay()', map: undefined } })
  watch.see('loader', { code: 'log(1)\npay()', id: '/b.ts', result: { code: 'pay()', map: { mappings: 'AAAA' } } })
  expect([...watch.faults]).toEqual([['/a.ts', { plugin: 'loader', returned: 'no map', movedLines: new Set([0]) }]])
})
