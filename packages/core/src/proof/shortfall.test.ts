import { build } from 'esbuild'
import { rolldown } from 'rolldown'
import { build as viteBuild } from 'vite'
import { describe, expect, it } from 'vitest'
import { decodedMappings, TraceMap } from '../formats/source-map/trace-mapping.fixture.ts'
import { proofOf, type Segments } from './prove.fixture.ts'

const MONEY = `export function money(cents) {
  if (!Number.isInteger(cents)) throw new RangeError('amounts are whole cents')
  return { cents }
}
export function add(a, b) {
  if (a.currency !== b.currency) throw new TypeError('other currencies are not added')
  return money(a.cents + b.cents)
}
`
const MAIN = `import { add, money } from './money.js'
document.addEventListener('click', () => console.log(add(money(1), money(2))))
`
/** Code that webpack puts at the start of a chunk. In a chunk this small, the app's code is right next to it. */
const RUNTIME = '(window.webpackJsonp=window.webpackJsonp||[]).push([[1],{2:function(n,e,r){}}]);'

const files: Record<string, string> = { 'main.js': MAIN, 'money.js': MONEY }
const result = await build({
  entryPoints: ['main.js'],
  bundle: true,
  minifyWhitespace: true,
  minifyIdentifiers: true,
  sourcemap: 'external',
  outfile: 'out.js',
  write: false,
  format: 'esm',
  plugins: [
    {
      name: 'files',
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /./ }, ({ path }) => ({ path: path.replace('./', ''), namespace: 'src' }))
        onLoad({ filter: /./ }, ({ path }) => ({ contents: files[path] as string }))
      },
    },
  ],
})
const [map, script] = result.outputFiles.map(({ text }) => text) as [string, string]

/** The problems with a chunk after changing the segments of its code. */
function problemsWith(change: (segments: Segments, money: number) => Segments, text = script) {
  const tracer = new TraceMap(map)
  const lines = (decodedMappings(tracer) as unknown as Segments).map((line) => line.map((segment) => [...segment]))
  const money = tracer.sources.findIndex((name) => name?.includes('money'))
  const [first = [], ...rest] = change(lines, money)
  const moved = [first.map(([column = 0, ...more]) => [column + RUNTIME.length, ...more]), ...rest]
  const { sources, sourcesContent, names } = tracer
  const made = { version: 3, sources, sourcesContent, names, mappings: moved }
  return proofOf(RUNTIME + text, made, 'main.js').problems
}

it('reports a single mapping for a small script of one line as coarse (webpack’s cheap devtools with a minifier)', () => {
  const { sources, sourcesContent, names } = new TraceMap(map)
  const main = sources.findIndex((name) => name?.includes('main'))
  const cheap = { version: 3, sources, sourcesContent, names, mappings: [[[0, main, 0, 0]]] }
  const { problems } = proofOf(script.trimEnd(), cheap, 'main.js')
  expect(problems).toMatchObject([
    { code: 'map-low-resolution', message: expect.stringContaining('too few mappings (1)') },
  ])
})

describe('code next to a bundler runtime', () => {
  it('reports nothing for code next to a runtime if all of it is mapped', () => {
    expect(problemsWith((lines) => lines)).toEqual([])
  })

  it.each([
    [
      'is mapped to no source',
      (lines, money) => lines.map((line) => line.map((one) => (one[1] === money ? [one[0] ?? 0] : one))),
    ],
    ['has no mappings', (lines, money) => lines.map((line) => line.filter((one) => one[1] !== money))],
  ] as [string, (lines: Segments, money: number) => Segments][])(
    'attributes code to the app if it %s and a source contains it',
    (_, change) => {
      expect(problemsWith(change)).toMatchObject([{ code: 'map-incomplete' }])
    },
  )

  it('attributes code to a compiler if no source contains it', () => {
    const helpers = script
      .replace('amounts are whole cents', 'Private element is not')
      .replace('other currencies are', 'Class extends value are')
    expect(
      problemsWith((lines, money) => lines.map((line) => line.filter((one) => one[1] !== money)), helpers),
    ).toEqual([])
  })
})

/** Frameworks generate modules like this during the build, without a map. */
const RESOLVER = `export async function find(id) {
  const known = manifest[id]
  if (!known) throw new Error('The function is not known: ' + id)
  const loaded = await known.importer()
  if (!loaded) throw new Error('The module is not there: ' + id)
  const action = loaded[known.functionName]
  if (!action) throw new Error('The export is not there: ' + id)
  return action
}
const manifest = {}
`

/** The problems with a Rolldown chunk that includes a module without a map. */
async function problemsOfModule(id: string, resolver = RESOLVER) {
  const bundle = await rolldown({
    input: 'src/main.js',
    plugins: [
      {
        name: 'framework',
        resolveId: (name) =>
          name === 'resolver' ? id : `/app/${name.replace('./', 'src/').replace('src/src/', 'src/')}`,
        load: (name) => {
          if (name === id) return { code: resolver, map: { mappings: '' } }
          if (name.endsWith('main.js')) return `import { find } from 'resolver'\n${MAIN}document.body.onclick = find\n`
          return MONEY
        },
      },
    ],
  })
  const { output } = await bundle.generate({ sourcemap: true })
  const { code, map } = output[0]
  return proofOf(code, JSON.stringify(map)).problems.map(({ code }) => code)
}

describe('a module without a map', () => {
  it('reports a module without a map if it is a file', async () => {
    expect(await problemsOfModule('/app/src/resolver.js')).toContain('map-incomplete')
  })

  it('does not report a module that a plugin generated, because no file exists', async () => {
    expect(await problemsOfModule('\0framework:resolver')).toEqual([])
  })

  it('does not report a library without a map, such as react-dom with the RSC plugin', async () => {
    expect(await problemsOfModule('/app/node_modules/resolver/index.js')).toEqual([])
  })

  it('does not report a module from TanStack Start that Nitro bundled again without its name', async () => {
    const texts = ['info not found for ', 'module not resolved for ', 'module export not resolved for ']
    const resolver = texts.reduce((code, text) => code.replace(/'The [^']+'/, `'Server function ${text}'`), RESOLVER)
    expect(await problemsOfModule('/app/src/resolver.js', resolver)).toEqual([])
  })
})

const SHOP: Readonly<Record<string, string>> = {
  'main.js': `import { add, money } from './money.js'
export function start(prices) {
  if (!prices.length) throw new Error('nothing to add up')
  document.title = prices.map(money).reduce(add).cents
  import('./lazy.js').then((lazy) => lazy.showMore(prices))
}
start(window.shopPrices)
`,
  'money.js': MONEY,
  'lazy.js': `import { money } from './money.js'
export function showMore(prices) {
  if (prices.length > 99) throw new Error('too many prices')
  return prices.map(money)
}
`,
  'page.js': `import('./lazy.js').then((lazy) => lazy.showMore(window.shopPrices)).catch((error) => console.error(error))\n`,
}
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
const shop = {
  name: 'shop',
  resolveId: (id: string) => (SHOP[nameOf(id)] === undefined ? undefined : `/app/src/${nameOf(id)}`),
  load: (id: string) => (id.startsWith('/app/src/') ? SHOP[nameOf(id)] : undefined),
}

/** The problems with the shop app, which esbuild bundled into one minified file. */
async function problemsOfEsbuild(format: 'esm' | 'iife' | 'cjs', change = (script: string) => script) {
  const { outputFiles } = await build({
    entryPoints: ['main.js'],
    bundle: true,
    minify: true,
    sourcemap: 'external',
    outfile: 'out.js',
    write: false,
    format,
    plugins: [
      {
        name: 'shop',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /./ }, ({ path }) => ({ path: nameOf(path), namespace: 'src' }))
          onLoad({ filter: /./ }, ({ path }) => ({ contents: SHOP[path] as string }))
        },
      },
    ],
  })
  const [map, script] = outputFiles.map(({ text }) => text) as [string, string]
  return problemsOf(change(script), map)
}

const problemsOf = (script: string, map: string) => proofOf(script, map, 'out.js').problems

describe("unmarked code that a bundler adds before or after the app's code", () => {
  it.each(['esm', 'iife', 'cjs'] as const)(
    'includes the start of lazily imported modules (esbuild, %s)',
    async (format) => {
      expect(await problemsOfEsbuild(format)).toEqual([])
    },
  )

  it('does not include other code at the same position', async () => {
    const own = (script: string) => script.replace(/if\(\w+\)throw \w+\[0\];try\{/, 'throw first();throw next();try{')
    expect(await problemsOfEsbuild('esm', own)).not.toEqual([])
  })

  it('includes the start of lazily imported modules (Rolldown)', async () => {
    const bundle = await rolldown({ input: 'main.js', plugins: [shop], logLevel: 'silent' })
    const { output } = await bundle.generate({
      sourcemap: true,
      minify: true,
      codeSplitting: false,
      strictExecutionOrder: true,
    })
    expect(problemsOf(output[0].code, JSON.stringify(output[0].map))).toEqual([])
  })

  it('includes the imports of a script without other code (Vite)', async () => {
    const made = await viteBuild({
      configFile: false,
      logLevel: 'silent',
      plugins: [shop],
      build: { write: false, sourcemap: true, rollupOptions: { input: 'page.js' } },
    })
    const { output } = made as { output: { name?: string; code?: string; map?: unknown }[] }
    const page = output.find(({ name }) => name === 'page')
    expect(page?.code).toContain('modulepreload')
    expect(problemsOf(page?.code ?? '', JSON.stringify(page?.map))).toEqual([])
  })

  it('includes the exports of a CommonJS module that esbuild lists in dead code', async () => {
    const names = [
      'roundedAmount',
      'totalOfAmounts',
      'differenceOfAmounts',
      'shareOfAmount',
      'amountWithTax',
      'amountInCents',
    ]
    const functions = names.map((name) => `export const ${name} = (amount) => window.shop.compute('${name}', amount)\n`)
    const { outputFiles } = await build({
      stdin: {
        contents: `export const start = (amount) => window.shop.start(amount)\nexport {\n${names.join(',\n')}\n} from 'money'\n`,
        sourcefile: 'index.js',
      },
      bundle: true,
      plugins: [
        {
          name: 'money',
          setup({ onResolve, onLoad }) {
            onResolve({ filter: /money/ }, ({ path }) => ({ path, namespace: 'src' }))
            onLoad({ filter: /./ }, () => ({ contents: functions.join('') }))
          },
        },
      ],
      platform: 'node',
      minify: true,
      sourcemap: 'external',
      outfile: 'out.js',
      write: false,
      format: 'cjs',
    })
    const [map, script] = outputFiles.map(({ text }) => text) as [string, string]
    expect(script).toContain('0&&(module.exports={amountInCents,')
    expect(problemsOf(script, map)).toEqual([])
  })
})
