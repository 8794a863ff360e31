import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { MemoryBytes } from '../formats/source-map/bytes.ts'
import type { FilePart, SymbolUpload } from '../model/plan.ts'
import { prove } from '../pipeline/preparation.ts'
import { proveScript } from './prove-script.ts'

const cwd = mkdtempSync(join(tmpdir(), 'symup-prove-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const SCRIPT = 'a.showTotal()\na.showOrder()\n'
const mapOf = (sources: string[], sourcesContent: (string | null)[], mappings = 'AAAA;AACA') =>
  JSON.stringify({ version: 3, sources, sourcesContent, names: [], mappings })

/** An upload on disk, or only in memory. */
function uploadOf(name: string, map: string, { script = SCRIPT, type = 'js_sourcemap', isWritten = false } = {}) {
  const part = (kind: string, file: string, text: string): FilePart => {
    const path = join(cwd, file)
    if (isWritten) writeFileSync(path, text)
    return { name: kind, filename: file, path, bytes: text.length, ...(!isWritten && { content: Buffer.from(text) }) }
  }
  const parts = [part('source_map', `${name}.map`, map), part('minified_file', name, script)]
  return { event: { type }, parts } as unknown as SymbolUpload
}

it('reports the result for each script and for all scripts together', async () => {
  const right = uploadOf('a.js', mapOf(['src/a.js'], [SCRIPT]), { isWritten: true })
  const again = uploadOf('b.js', mapOf(['src/a.js'], [SCRIPT]))
  const textless = uploadOf('c.js', mapOf(['src/c.js'], [null]))
  const data = `const e=JSON.parse('${JSON.stringify(Array.from({ length: 40 }, (_, at) => `a.lookUp${at}(b.showAll())`))}')\n`
  const ofData = uploadOf('d.js', mapOf(['node_modules/d.mjs'], [data], 'AAAA'), { script: data })
  const uploads = [right, again, textless, ofData]
  const proof = await prove(uploads, { cwd })
  expect(proof).toMatchObject({ files: 4, textlessFiles: 1 })
  expect([...proof.own.sources]).toMatchObject([
    ['src/a.js', { places: 4, resolved: 4 }],
    ['src/c.js', { places: 0, resolved: 0, isUnchecked: true }],
  ])
  expect(proof.own.unmapped).toBe(0)
  expect(proof.problems.map(({ code, file }) => `${code} ${file}`)).toEqual(['sources-without-content c.js'])
  expect(proof.unusable.size).toBe(0)
  const each = uploads.map((upload) => proof.byUpload.get(upload))
  const all = { positions: 2, resolved: 2 }
  expect(each.slice(0, 3)).toEqual([all, all, { positions: 0, resolved: 0 }])
  const sum = (of: 'positions' | 'resolved') => each.reduce((all, one) => all + (one?.[of] ?? 0), 0)
  expect([proof.positions, proof.resolved]).toEqual([sum('positions'), sum('resolved')])
})

it("treats Turbopack's placeholder for an unreadable text as a missing text", async () => {
  const library = '[project]/node_modules/zen/dist/index.mjs'
  const none = `unable to access ../../src/total.ts in ${library} (it's leaving the filesystem root)`
  const codesOf = async (text: string) => {
    const sources = [`turbopack:///${library}/__/__/src/total.ts`]
    const { problems, own } = await prove([uploadOf('a.js', mapOf(sources, [text], 'AAoBA;AACA'))], { cwd })
    return [problems.map(({ code }) => code), own.sources.size]
  }
  expect(await codesOf(none)).toEqual(await codesOf(''))
  expect((await codesOf(none))[0]).toEqual([])
  expect((await codesOf('unable()'))[0]).toEqual(['map-stale'])
})

it("does not treat names in Turbopack's export list as code from the source", async () => {
  const names = ['getBoardType', 'getBoardEntity', 'getComponentEntity']
  const source = `new Set()\n${names.map((name) => `export const ${name} = 1`).join('\n')}\n// the end\n`
  const script = (then: string) =>
    `new Set();let a=1,b=2,c=3,d=4,f=5;e.s(["BOARD_TYPES",0,a,${names.map((name) => `"${name}",${then},b`).join(',')}])\n`
  const codesOf = async (text: string) => {
    const { problems } = await prove([uploadOf('a.js', mapOf(['src/a.js'], [source], 'AAAA,UAAA'), { script: text })], {
      cwd,
    })
    return problems.map(({ code }) => code)
  }
  expect(await codesOf(script('0'))).not.toContain('map-low-resolution')
  expect(await codesOf(script('7'))).toContain('map-low-resolution')
})

it('counts unmapped code in all scripts', async () => {
  const OTHER = 'e.showAllOrders().withDiscount(e.findVoucher()).roundedUp().shownAsPrice()'
  const upload = (name: string) => uploadOf(name, mapOf(['src/a.js'], [SCRIPT]), { script: `${SCRIPT}${OTHER}\n` })
  const [one, two] = [await prove([upload('a.js')], { cwd }), await prove([upload('a.js'), upload('b.js')], { cwd })]
  expect(one.problems.map(({ code }) => code)).toEqual(['map-incomplete'])
  expect(one.own.unmapped).toBeGreaterThan(1)
  expect(two.own.unmapped).toBe(2 * one.own.unmapped)
})

it('counts a script that does not match its map, but not its code as unmapped', async () => {
  const shifted = uploadOf('b.js', mapOf(['src/b.js'], [SCRIPT]), { script: '/* ours */' })
  const proof = await prove([uploadOf('a.js', mapOf(['src/a.js'], [SCRIPT])), shifted], { cwd })
  expect(proof.problems.map(({ code }) => code)).toEqual(['map-stale'])
  expect(proof.misfits).toEqual(['b.js'])
  expect(proof.own.unmapped).toBe(0)
})

it('reports that a map names another script only if the map does not match', async () => {
  const madeFor = (name: string) =>
    JSON.stringify({ ...JSON.parse(mapOf(['src/b.js'], [SCRIPT])), file: `assets/${name}` })
  const upload = (name: string, of: string, script = '/* ours */') => uploadOf(name, madeFor(of), { script })
  const proof = await prove(
    [upload('a.js', 'b.js'), upload('b.js', 'b.js'), upload('c.js', 'gone.js'), upload('d.js', 'b.js', SCRIPT)],
    { cwd },
  )
  expect(proof.problems).toMatchObject([
    {
      code: 'map-stale',
      file: 'a.js',
      message: expect.stringMatching(/ According to its "file" field, the source map belongs to b\.js\.$/),
    },
    { code: 'map-stale', file: 'b.js', message: expect.not.stringContaining('the one of') },
    { code: 'map-stale', file: 'c.js', message: expect.not.stringContaining('the one of') },
  ])
})

it('limits the length of the file name from a map', () => {
  const map = JSON.stringify({ ...JSON.parse(mapOf(['src/a.js'], [SCRIPT])), file: `${'d/'.repeat(1_000_000)}a.js` })
  const { madeFor = '' } = proveScript('a.js', new MemoryBytes(Buffer.from(SCRIPT)), new MemoryBytes(Buffer.from(map)))
  expect(madeFor).toMatch(/\/a\.js$/)
  expect(madeFor).toHaveLength(4096)
})

it('reports unusable files and continues', async () => {
  const [gone, broken] = [uploadOf('gone.js', ''), uploadOf('broken.js', '<html>')]
  for (const part of gone.parts) delete (part as { content?: Buffer }).content
  const right = uploadOf('a.js', mapOf(['src/a.js'], [SCRIPT]))
  const proof = await prove([gone, broken, right], { cwd })
  expect(proof.problems).toMatchObject([
    { code: 'file-unreadable', file: 'gone.js', message: 'The file or directory does not exist.' },
    { code: 'map-invalid', file: 'broken.js' },
  ])
  expect([...proof.unusable]).toEqual([gone, broken])
  expect([...proof.byUpload.keys()]).toEqual([broken, right])
  expect(proof).toMatchObject({ files: 2, positions: 2, resolved: 2 })
})

it('ignores files other than scripts with maps', async () => {
  const other = uploadOf('a.js', '', { type: 'ios' })
  const [noMap, noScript] = [uploadOf('a.js', ''), uploadOf('a.js', '')]
  noMap.parts.splice(0, 1)
  noScript.parts.splice(1, 1)
  expect(await prove([other, noMap, noScript], { cwd })).toMatchObject({ files: 0, problems: [] })
})

it.each([
  ['low-resolution', 'src/a.js', ''],
  // Stencil publishes its library like this: the script is minified to one line, but its map has many lines.
  ['stale', 'src/a.js', ';AACA'.repeat(20)],
  ['stale', 'node_modules/@stencil/core/index.js', ';AACA'.repeat(20)],
])('reports that a map is %s if the whole script has one mapping: %s', async (what, source, others) => {
  const calls = Array.from({ length: 20 }, (_, at) => `a.lookUp${at}()`)
  const map = mapOf([source], [`import b from "b"\n\n\n\n${calls.join('\n')}\n`], `AAAA${others}`)
  const { problems } = await prove([uploadOf('a.js', map, { script: `${calls.join(';')}\n` })], { cwd })
  expect(problems.map(({ code }) => code)).toEqual([`map-${what}`])
})
