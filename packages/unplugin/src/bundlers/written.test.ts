import { expect, it } from 'vitest'
import { Written } from './written.ts'

const chunk = (fileName: string, sourcemapFileName: string | null = `${fileName}.map`, moduleIds = ['a']) =>
  ({ type: 'chunk', fileName, sourcemapFileName, moduleIds }) as const
const asset = (fileName: string, source: string | Uint8Array = '') => ({ type: 'asset', fileName, source }) as const
const bundle = (...files: (ReturnType<typeof chunk> | ReturnType<typeof asset>)[]) =>
  Object.fromEntries(files.map((file) => [file.fileName, file]))

it('distinguishes built files, copied files, files without code, and type declarations', () => {
  const written = new Written()
  const helpers = ['\0@oxc-project+runtime/helpers/esm/objectSpread2.js', '\0plugin-vue:export-helper']
  written.add(
    '/dist',
    bundle(
      ...[chunk('a.js'), asset('a.js.map'), chunk('empty.js', null, []), chunk('bare.js', null)],
      ...[chunk('helpers.js', null, helpers), chunk('own.js', null, [...helpers, '/src/a.js'])],
      ...[chunk('index.d.mts'), asset('index.d.mts.map'), asset('types.d.ts')],
      ...[asset('copied.js', 'x'), asset('named.mjs'), asset('named.mjs.map'), asset('a.css', 'x')],
      asset('worker.js', Buffer.from('x\n//# sourceMappingURL=worker.js.map')),
    ),
    { deletes: true },
  )
  const { outputs, onlyDeclarations } = written.take()
  expect(onlyDeclarations).toBe(false)
  const [output] = outputs
  const assets = ['copied.js', 'named.mjs', 'named.mjs.map', 'a.css', 'worker.js']
  expect([...(output?.files ?? [])]).toEqual(['a.js', 'a.js.map', 'bare.js', 'own.js', ...assets])
  expect([...(output?.maps ?? [])]).toEqual([['a.js', 'a.js.map']])
  expect([...(output?.copied ?? [])]).toEqual(['empty.js', 'helpers.js', 'copied.js'])
  expect([...(output?.deletable ?? [])]).toEqual(['a.js.map', ...assets])
  expect(written.take()).toEqual({ outputs: [], onlyDeclarations: false })
})

it('does not detect a copied script if no script has a map', () => {
  const written = new Written()
  written.add('/dist', bundle(chunk('a.js', null), asset('b.js', 'x')))
  expect([...(written.take().outputs[0]?.copied ?? [])]).toEqual([])
})

it('creates one output for each target in a directory, with the format of each script', () => {
  const written = new Written()
  written.add('/dist', bundle(chunk('a.mjs')), { format: 'es' })
  written.add('/dist', bundle(chunk('a.cjs')), { format: 'cjs' })
  written.add('/dist', bundle(chunk('c.js')), { target: 'server' })
  const found = written.take().outputs.map(({ files, target, formats }) => [[...files], target, [...(formats ?? [])]])
  expect(found).toEqual([
    [
      ['a.mjs', 'a.cjs'],
      'browser',
      [
        ['a.mjs', 'es'],
        ['a.cjs', 'cjs'],
      ],
    ],
    [['c.js'], 'server', []],
  ])
})

it('recognizes a build of only type declarations once', () => {
  const written = new Written()
  written.add('/types', bundle(chunk('index.d.ts'), asset('index.d.ts.map')))
  expect(written.take()).toEqual({ outputs: [], onlyDeclarations: true })
  written.add('/types', bundle(asset('a.d.ts')))
  written.add('/dist', bundle(chunk('index.js')))
  const { outputs, onlyDeclarations } = written.take()
  expect([outputs.map(({ directory }) => directory), onlyDeclarations]).toEqual([['/dist'], false])
})
