import { transformSync } from 'esbuild'
import { expect, it } from 'vitest'
import { decodedMappings, TraceMap } from '../formats/source-map/trace-mapping.fixture.ts'
import { proofOf } from './prove.fixture.ts'

/** Similar modules: each has methods of the same names, and names of its own. */
const moduleOf = (name: string) => `export class Client${name} {
  load(id) {
    if (!id) throw new RangeError('no id for client ${name}')
    return this.send('/load', id).then((answer) => answer.rowsOf${name})
  }
  store(all) {
    all.forEach((one) => this.check(one.ownerOf${name}, one.nameOf${name}))
    return this.send('/store', all.map((one) => one.valueOf${name})).then((answer) => answer.countOf${name})
  }
}
`
const NAMES = ['Users', 'Orders', 'Films']

/** A bundle of the modules on one line. A plugin returned an empty map for those in `lost`. */
function bundleOf(lost: readonly string[]) {
  const segments: number[][] = []
  let script = ''
  for (const [source, name] of NAMES.entries()) {
    const { code, map } = transformSync(moduleOf(name), { minify: true, sourcemap: 'external', sourcefile: name })
    for (const [column, , line, at] of lost.includes(name) ? [] : (decodedMappings(new TraceMap(map))[0] ?? []))
      segments.push(
        line === undefined ? [column + script.length] : [column + script.length, source, line, at as number],
      )
    script += code.trimEnd()
  }
  const sources = NAMES.map((name) => (lost.includes(name) ? 'src/unknown.js' : `src/${name}.js`))
  const sourcesContent = NAMES.map((name) => (lost.includes(name) ? null : moduleOf(name)))
  const { own, problems } = proofOf(script, { version: 3, sources, sourcesContent, mappings: [segments] })
  const wrong = [...own.sources].filter(([, { places, resolved, wrong }]) => wrong !== undefined || resolved < places)
  return { wrong, unmapped: own.unmapped > 0, codes: problems.map(({ code }) => code) }
}

it.each([[['Orders']], [['Films']], [['Orders', 'Films']]])('code of %s without mappings has no source', (lost) => {
  expect(bundleOf(lost)).toEqual({ wrong: [], unmapped: true, codes: ['map-incomplete'] })
})

it('all sources resolve if none is lost', () => {
  expect(bundleOf([])).toEqual({ wrong: [], unmapped: false, codes: [] })
})
