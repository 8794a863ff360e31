import { expect, it } from 'vitest'
import { proofOf } from './prove.fixture.ts'

/** A handler with a single throw, as frameworks compile each handler to its own script. Nothing else in it can be compared. */
const HANDLER = `import { notes } from './notes.js'
export const add = (text) => {
  if (text.length > 9)
    throw new RangeError(\`N13: \${text.length} is too many\`)
  notes.add(text)
}
`
const MADE = '`N13: $' + '{o.length} is too many`'
const SCRIPT = `const m=o=>{if(o.length>9)throw new RangeError(${MADE});a.add(o)};`
const THROW = SCRIPT.indexOf('new ')

/** The problems if the throw maps to the given line of a source, 0-based. */
function problemsFor({ line = 3, source = 0, script = SCRIPT, handler = HANDLER }): string[] {
  const segments = [
    [0, 0, 1, 13],
    [THROW - 6, source, line, 4],
    [THROW, source, line, 10],
    [SCRIPT.indexOf('a.add'), 0, 4, 2],
  ]
  const map = {
    version: 3,
    sources: ['src/add.js', 'src/other.js'],
    sourcesContent: [handler, '// nothing\n'.repeat(9)],
    names: [],
    mappings: [segments],
  }
  const { problems } = proofOf(script, map, 'add.js')
  return problems.filter(({ severity }) => severity !== 'info').map(({ code, message }) => `${code}: ${message}`)
}

it('reports a wrong map if an error text is on another line of its source', () => {
  expect(problemsFor({})).toEqual([])
  const moved = (to: string) => [
    `map-stale: The error "N13: " is created on line 4 of src/add.js, but the source map points to ${to}.`,
  ]
  expect(problemsFor({ line: 0 })).toEqual(moved('line 1 of src/add.js'))
  expect(problemsFor({ line: 4, source: 1 })).toEqual(moved('line 5 of src/other.js'))
})

it('one such error in a source that resolves is one position: only the map of its compiler is wrong', () => {
  const checks = Array.from({ length: 6 }, (_, at) => `a.check${at}(o)`)
  const script = `${SCRIPT}${checks.join(';')}`
  const handler = `${HANDLER}${checks.join('\n')}`
  const segments = [
    [0, 0, 1, 13],
    [THROW, 0, 2, 2],
    [SCRIPT.indexOf('a.add'), 0, 4, 2],
    ...checks.map((check, at) => [script.indexOf(check), 0, 6 + at, 0]),
  ]
  const map = { version: 3, sources: ['src/add.js'], sourcesContent: [handler], mappings: [segments] }
  const { problems, own } = proofOf(script, map)
  expect(problems.map(({ code, fix }) => [code, fix])).toEqual([
    [
      'map-stale',
      'Check the compiler or plugin that transforms src/add.js. The source map that it returns does not match the code.',
    ],
  ])
  const found = own.sources.get('src/add.js')
  expect(found).toMatchObject({ failed: ['3:3'] })
  expect(found).not.toHaveProperty('wrong')
})

it('reports nothing if the error text is computed or spans several lines', () => {
  // Minifiers inline the text of a constant where it is used.
  const constant = "const MANY = 'N13: '\n\nexport const add = (text) => {\n  throw new RangeError(MANY)\n}\n"
  expect(problemsFor({ handler: constant, script: SCRIPT.replace(MADE, '"N13: "') })).toEqual([])
  expect(problemsFor({ line: 0, handler: `${HANDLER}${HANDLER}` })).toEqual([])
  expect(problemsFor({ line: 0, script: SCRIPT.replace('N13', 'N14') })).toEqual([])
})
