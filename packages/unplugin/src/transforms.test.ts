import { expect, it } from 'vitest'
import { TransformWatch } from './transforms.ts'

const CODE = 'start(1)\n'.repeat(300)
const fine = { mappings: 'AAAA;AACA;AACA;AACA'.repeat(20) }

async function seen(transform: unknown, { name = 'user', id = '/app/src/a.ts' } = {}) {
  const plugin = { name, transform }
  const watch = new TransformWatch()
  watch.watch([undefined, false, [[plugin]]])
  const hook = plugin.transform as
    | ((code: string, id: string) => unknown)
    | { handler(code: string, id: string): unknown }
  const result = await (typeof hook === 'function' ? hook('x()', id) : hook.handler('x()', id))
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
  for (const more of [...ids.map((id) => ({ id })), { name: 'vite:json' }])
    expect((await seen(() => CODE, more)).faults).toEqual({})
})

it('a query belongs to the file, and a frozen plugin works as before', async () => {
  expect((await seen(() => CODE, { id: '/app/App.vue?vue&type=script' })).faults).toEqual({ '/app/App.vue': 'no map' })
  const frozen = Object.freeze({ name: 'user', transform: () => CODE })
  expect(() => new TransformWatch().watch([frozen])).not.toThrow()
})
