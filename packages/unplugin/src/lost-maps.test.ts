import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useDirectory } from '../../../test/support/directory.ts'
import { isOwnCode, LostMaps } from './lost-maps.ts'

const root = useDirectory('each')

/** A chunk with these modules and their code, whose map contains these sources. */
function chunkOf(modules: Record<string, string | null>, sources: (string | null)[] | undefined) {
  const byPath = Object.entries(modules).map(([name, code]) => [join(root, name), { code }])
  const moduleIds = byPath.map(([id]) => id as string)
  return {
    'a.js': { type: 'chunk', moduleIds, modules: Object.fromEntries(byPath), map: sources ? { sources } : null },
  }
}
const lostIn = (...given: Parameters<typeof chunkOf>) => {
  const lostMaps = new LostMaps()
  lostMaps.wrote(chunkOf(...given))
  return [...(lostMaps.faults ?? new Map()).keys()]
}

it('names the modules that are missing from the sources in the map', () => {
  expect(lostIn({ 'src/a.ts': 'a()', 'src/b.ts': 'b()' }, ['../src/b.ts'])).toEqual([join(root, 'src/a.ts')])
  expect(lostIn({ 'src/a.ts': 'a()' }, [])).toEqual([join(root, 'src/a.ts')])
  expect(lostIn({ 'src/[a].ts': 'a()', 'src/b"].ts': 'b()' }, ['../src/[a].ts', null, '../src/b"].ts'])).toEqual([])
})

it.each([
  ['an absolute path', () => join(root, 'src/a.ts')],
  ['a file URL', () => `file://${join(root, 'src/a.ts')}`],
  ['a path with a query', () => '../src/a.ts?v=1'],
])('matches a source named by %s', (_, name) => {
  expect(lostIn({ 'src/a.ts': 'a()' }, [name()])).toEqual([])
})

it.each<[string, Record<string, string | null>, string[] | undefined]>([
  ['the code was left out', { 'src/a.ts': null, 'src/b.ts': '' }, []],
  ['no code in it can fail', { 'src/a.ts': 'const a = 1' }, []],
  ['the chunk has no map', { 'src/a.ts': 'a()' }, undefined],
  ['its line endings may have truncated the map', { 'src/a.ts': 'a()', 'src/b.ts': '/* \r */b()' }, ['src/b.ts']],
  ['it is a package', { 'node_modules/x/a.js': 'a()' }, []],
])('does not report a module as lost if %s', (_, modules, sources) => {
  expect(lostIn(modules, sources)).toEqual([])
})

it('reports a source as lost if its loaders returned an empty map, unless no code in it can fail', () => {
  const lostMaps = new LostMaps()
  lostMaps.add(join(root, 'src/types.ts'), 'esbuild-loader', 'export {};')
  lostMaps.add(join(root, 'src/a.ts'), 'careless-loader', 'a()')
  expect([...(lostMaps.faults ?? new Map()).keys()]).toEqual([join(root, 'src/a.ts')])
})

it('expects no mappings for a component with only markup', () => {
  writeFileSync(join(root, 'Text.vue'), '<template><p>text</p></template>\n<style>p { color: red }</style>')
  writeFileSync(join(root, 'Card.vue'), '<template><p>{{ price }}</p></template>')
  expect(lostIn({ 'Text.vue': 'h()', 'Card.vue': 'h()' }, [])).toEqual([join(root, 'Card.vue')])
})

it('names the plugins that returned no map according to the bundler’s log', () => {
  const lostMaps = new LostMaps()
  for (const plugin of ['careless', 'other', 'careless']) lostMaps.hear({ code: 'SOURCEMAP_BROKEN', plugin })
  lostMaps.hear({ code: 'CIRCULAR_DEPENDENCY', plugin: 'innocent' })
  lostMaps.wrote(chunkOf({ 'src/a.ts': 'a()' }, []))
  expect([...(lostMaps.faults?.values() ?? [])]).toEqual([
    { plugin: 'careless, other', returned: 'no map', isDropped: true },
  ])
  const all = new LostMaps()
  expect(all.faults).toBeUndefined()
  all.include(lostMaps)
  expect(all.faults?.size).toBe(1)
})

it.each([
  ['/app/src/a.ts', true],
  ['C:\\app\\src\\a.ts', true],
  ['/app/src/A.vue?vue&type=script&lang.ts', true],
  ['/app/src/A.vue?vue&type=style&index=0.css', false],
  ['/app/src/a.ts?raw', false],
  ['\0virtual:a.ts', false],
  ['/app/src/a.json', false],
  ['/app/node_modules/x/a.ts', false],
])('decides whether %j is project code: %s', (id, expected) => {
  expect(isOwnCode(id)).toBe(expected)
})
