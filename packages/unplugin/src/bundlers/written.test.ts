import { describe, expect, it } from 'vitest'
import { Written } from './written.ts'

const asset = (fileName: string) => ({ [fileName]: { type: 'asset' as const, fileName } })
const chunk = (fileName: string, sourcemapFileName?: string) => ({
  [fileName]: { type: 'chunk' as const, fileName, sourcemapFileName: sourcemapFileName ?? null, moduleIds: ['a'] },
})

it('leaves type declarations and their maps alone, beside scripts', () => {
  const written = new Written()
  const bundle = {
    ...chunk('index.mjs', 'index.mjs.map'),
    ...asset('index.mjs.map'),
    ...chunk('index.d.mts', 'index.d.mts.map'),
    ...asset('index.d.mts.map'),
  }
  written.add('/lib/dist', bundle, { deletes: true })
  const { outputs, onlyDeclarations } = written.take()
  expect(onlyDeclarations).toBe(false)
  expect(outputs.map(({ files, deletable }) => [[...files], [...deletable]])).toEqual([
    [['index.mjs', 'index.mjs.map'], ['index.mjs.map']],
  ])
})

it('knows a build that writes nothing else, once', () => {
  const written = new Written()
  written.add('/lib/dist', { ...chunk('index.d.ts'), ...asset('index.d.ts.map') }, { deletes: true })
  expect(written.take()).toEqual({ outputs: [], onlyDeclarations: true })
  expect(written.take()).toEqual({ outputs: [], onlyDeclarations: false })
})

it('a build into two places is more than its declarations', () => {
  const written = new Written()
  written.add('/lib/types', chunk('index.d.ts'), { deletes: true })
  written.add('/lib/dist', chunk('index.js'), { deletes: true })
  const { outputs, onlyDeclarations } = written.take()
  expect(outputs.map(({ directory }) => directory)).toEqual(['/lib/dist'])
  expect(onlyDeclarations).toBe(false)
})

it('leaves out a chunk without a map that holds modules of the bundler and of plugins only', () => {
  const written = new Written()
  const made = (moduleIds: string[]) => ({
    type: 'chunk' as const,
    fileName: 'made.js',
    sourcemapFileName: null,
    moduleIds,
  })
  const ids = ['\0@oxc-project+runtime/helpers/esm/objectSpread2.js', '\0plugin-vue:export-helper']
  written.add('/dist', { ...chunk('index.js', 'index.js.map'), 'made.js': made(ids) })
  expect([...(written.take().outputs[0]?.files ?? [])]).toEqual(['index.js'])
  written.add('/dist', { 'made.js': made([...ids, '/src/a.js']) })
  expect([...(written.take().outputs[0]?.files ?? [])]).toEqual(['made.js'])
})

it('knows a script that a plugin copied from a worker and from one that names a map', () => {
  const written = new Written()
  const named = { type: 'asset' as const, fileName: 'named.js', source: 'f()\n//# sourceMappingURL=data:,x\n' }
  const bundle = {
    ...chunk('index.js', 'index.js.map'),
    // Of Starlight's code blocks.
    ...asset('ec.0vx5m.js'),
    ...asset('worker.js'),
    ...asset('worker.js.map'),
    'named.js': named,
  }
  written.add('/dist', bundle)
  const [output] = written.take().outputs
  expect([...(output?.files ?? [])].sort()).toEqual([
    'ec.0vx5m.js',
    'index.js',
    'named.js',
    'worker.js',
    'worker.js.map',
  ])
  expect([...(output?.copied ?? [])]).toEqual(['ec.0vx5m.js'])
  // Where there are no maps at all, that is told of each.
  written.add('/dist', { ...chunk('index.js'), ...asset('ec.js') })
  expect([...(written.take().outputs[0]?.files ?? [])]).toEqual(['index.js', 'ec.js'])
})

it('asks for the content of nothing but copied scripts: Rolldown makes and keeps a copy of it', () => {
  const asked: string[] = []
  const asset = (fileName: string) => ({
    type: 'asset' as const,
    fileName,
    get source() {
      asked.push(fileName)
      return 'f()'
    },
  })
  const files = ['a.js.map', 'style.css', 'worker.js', 'worker.js.map', 'copied.js'].map(asset)
  const bundle = { ...chunk('a.js', 'a.js.map'), ...Object.fromEntries(files.map((file) => [file.fileName, file])) }
  new Written().add('/app/dist', bundle, { deletes: true })
  expect(asked).toEqual(['copied.js'])
})

describe('what a bundler wrote', () => {
  const chunk = (fileName: string, sourcemapFileName: string | null = `${fileName}.map`, moduleIds = ['a']) =>
    ({ type: 'chunk', fileName, sourcemapFileName, moduleIds }) as const
  const asset = (fileName: string, source: string | Uint8Array = '') => ({ type: 'asset', fileName, source }) as const
  const bundle = (...files: (ReturnType<typeof chunk> | ReturnType<typeof asset>)[]) =>
    Object.fromEntries(files.map((file) => [file.fileName, file]))

  it('is told apart: what was built, what was only copied, and what has no code', () => {
    const written = new Written()
    written.add(
      '/dist',
      bundle(
        chunk('a.js'),
        asset('a.js.map'),
        chunk('empty.js', null, []),
        chunk('bare.js', null),
        asset('copied.js', 'x'),
        asset('worker.js', Buffer.from('x\n//# sourceMappingURL=worker.js.map')),
        asset('named.mjs'),
        asset('named.mjs.map'),
        asset('a.css', 'x'),
        asset('types.d.ts'),
        asset('types.d.mts.map'),
      ),
      { deletes: true },
    )
    const { outputs, onlyDeclarations } = written.take()
    expect(onlyDeclarations).toBe(false)
    expect(outputs).toHaveLength(1)
    expect([...(outputs[0]?.files ?? [])]).toEqual([
      'a.js',
      'a.js.map',
      'bare.js',
      'copied.js',
      'worker.js',
      'named.mjs',
      'named.mjs.map',
      'a.css',
    ])
    expect([...(outputs[0]?.maps ?? [])]).toEqual([['a.js', 'a.js.map']])
    expect([...(outputs[0]?.copied ?? [])]).toEqual(['empty.js', 'copied.js'])
    expect([...(outputs[0]?.deletable ?? [])]).toEqual([
      'a.js.map',
      'copied.js',
      'worker.js',
      'named.mjs',
      'named.mjs.map',
      'a.css',
    ])
    expect(written.take()).toEqual({ outputs: [], onlyDeclarations: false })
  })

  it('is of a server or not, and adds up in a directory, with the format of each script', () => {
    const written = new Written()
    written.add('/dist', bundle(chunk('a.mjs')), { format: 'es' })
    written.add('/dist', bundle(chunk('a.cjs')), { format: 'cjs' })
    written.add('/dist', bundle(chunk('c.js')), { target: 'server' })
    const { outputs } = written.take()
    expect(
      outputs.map(({ files, target, deletable, formats }) => [[...files], target, deletable.size, formats]),
    ).toEqual([
      [
        ['a.mjs', 'a.cjs'],
        'browser',
        0,
        new Map([
          ['a.mjs', 'es'],
          ['a.cjs', 'cjs'],
        ]),
      ],
      [['c.js'], 'server', 0, new Map()],
    ])
  })
})
