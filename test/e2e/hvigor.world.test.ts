import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { useDirectory, writeIn } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'
import { installNode, NODE_18, NODE_22 } from '../support/old-node.ts'
import { runToEnd } from '../support/run-to-end.ts'

const PACKAGE = join(ROOT, 'packages/hvigor')
const HOST = join(ROOT, 'fixtures/hvigor-standin/host.cjs')

const intake = useIntake()
const bundle = useDirectory()
const project = useDirectory('each')
const nodes: Record<string, string> = { [process.version]: process.execPath }

beforeAll(() => {
  execFileSync(process.execPath, [join(PACKAGE, 'bundle.js'), bundle], { cwd: PACKAGE, stdio: 'pipe' })
  for (const version of [NODE_18, NODE_22]) nodes[version] = installNode(version)
}, 120_000)
beforeEach(() => {
  const installed = join(project, 'node_modules/@symup/hvigor')
  cpSync(bundle, join(installed, 'dist'), { recursive: true })
  cpSync(join(PACKAGE, 'package.json'), join(installed, 'package.json'))
  put('node_modules/@ohos/hvigor/index.js', 'exports.hvigor = globalThis.__hvigorStandIn')
})

const put = (file: string, text: string) => writeIn(project, file, text)

/** Writes a hvigorfile as a user would, transpiled the way hvigor does. */
function hvigorfile(directory: string, plugins: string): void {
  const source = `import { symup } from '@symup/hvigor'\nimport { hvigor } from '@ohos/hvigor'\nexport default { system: null, plugins: [${plugins}] }\nvoid hvigor\n`
  put(join(directory, 'hvigorfile.cjs'), transformSync(source, { loader: 'ts', format: 'cjs', target: 'node14' }).code)
}

function host(settings: object): void {
  put('host.json', JSON.stringify({ modules: { entry: 'hap' }, collects: true, ...settings }))
}

function build(args: string[], { env = {}, node = process.execPath }: { env?: NodeJS.ProcessEnv; node?: string } = {}) {
  const variables = { PATH: process.env.PATH, SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url, ...env }
  return runToEnd(node, [HOST, project, ...args], { cwd: process.cwd(), env: variables })
}

const release = ['-p', 'buildMode=release']
const stored = async (service: string) => (await intake.uploads()).filter((upload) => upload.service === service)

describe.each([NODE_18, process.version, NODE_22])('the hvigor plugin on Node %s', (version) => {
  it('uploads the map, name cache and libraries of a module’s release build after they exist', async () => {
    const service = `shop-${version}`
    host({ libraries: join(ROOT, 'fixtures/symbols/native/arm64-v8a') })
    hvigorfile('entry', `symup({ service: '${service}' })`)
    const { output, exitCode } = await build(['assembleHap', ...release], { node: nodes[version] as string })
    expect(output).toContain('BUILD SUCCESSFUL')
    expect(exitCode).toBe(0)
    expect(output).toContain('> hvigor INFO: symup: version = 1.0.0 ← versionName of the app')
    expect(output).toMatch(/> hvigor INFO: symup: Uploaded 2 artifacts/)
    expect(output).not.toContain('dev-api-key')
    const order = [...output.matchAll(/Finished :entry:(\S+)/g)].map(([, task]) => task)
    expect(order.slice(-3)).toEqual(['default@CollectDebugSymbol', 'default@SymupUpload_entry', 'assembleHap'])
    const uploads = await stored(service)
    // The plugin sends the uploads at the same time, so they arrive in any order.
    expect(
      uploads
        .map(({ event, origin, parts }) => [event.type, event.version, origin, parts.map(({ name }) => name).sort()])
        .sort(),
    ).toEqual([
      ['harmony_sourcemap', '1.0.0', 'symup-hvigor', ['name_cache', 'source_map']],
      ['harmony_symbol_file', '1.0.0', 'symup-hvigor', ['symbol_file']],
    ])
  })
})

it('covers every module once in the root’s hvigorfile, with or without collected symbols', async () => {
  for (const collects of [true, false]) {
    const service = `all-${collects}`
    host({ modules: { entry: 'hap', shared: 'hsp', ui: 'har' }, collects, buildDirectory: 'out' })
    hvigorfile('.', `symup({ service: '${service}' })`)
    hvigorfile('entry', `symup({ service: '${service}' })`)
    const { output } = await build(['assembleHap', 'assembleHsp', 'assembleHar', ...release])
    expect(output).toContain('BUILD SUCCESSFUL')
    expect(output).not.toContain('WARN')
    expect([...output.matchAll(/Finished :\w+:default@SymupUpload_(\w+)/g)].map(([, name]) => name)).toEqual([
      'entry',
      'shared',
      'ui',
    ])
    expect([...output.matchAll(/Uploaded 1 artifact/g)]).toHaveLength(3)
  }
})

it('uploads every module in assembleApp, and none twice if their own tasks also run', async () => {
  host({ modules: { entry: 'hap', shared: 'hsp' } })
  hvigorfile('.', "symup({ service: 'app' })")
  const { output } = await build(['assembleApp', ...release])
  expect(output).toContain('BUILD SUCCESSFUL')
  expect([...output.matchAll(/Finished \S*:(PackageApp|SymupUploadApp|assembleApp)/g)].map(([, task]) => task)).toEqual(
    ['PackageApp', 'SymupUploadApp', 'assembleApp'],
  )
  expect([...output.matchAll(/Uploaded 1 artifact/g)]).toHaveLength(2)
  const both = await build(['assembleHap', 'assembleApp', ...release])
  expect([...both.output.matchAll(/Uploaded 1 artifact/g)]).toHaveLength(2)
})

it('takes the version from the built product if its build-profile.json5 sets one', async () => {
  host({
    products: [{ name: 'default' }, { name: 'vip', versionName: '2.0.0-vip' }, { name: 'empty', versionName: '' }],
  })
  hvigorfile('entry', "symup({ service: 'products' })")
  for (const [product, version] of [
    ['vip', '2.0.0-vip'],
    ['default', '1.0.0'],
    ['empty', '1.0.0'],
    ['unlisted', '1.0.0'],
  ] as const) {
    const { output } = await build(['assembleHap', ...release, '-p', `product=${product}`])
    expect(output).toContain(`symup: version = ${version} ← versionName of the app`)
  }
})

it('ignores debug builds unless requested', async () => {
  host({})
  hvigorfile('entry', "symup({ service: 'debug' })")
  expect((await build(['assembleHap'])).output).toContain(
    '> hvigor INFO: symup: entry is a debug build, so nothing is uploaded.',
  )
  hvigorfile('entry', "symup({ service: 'debug', includeDebug: true })")
  expect((await build(['assembleHap'])).output).toContain('Uploaded 1 artifact')
})

it('takes options from -p in a daemon, and warns about a version that the app does not report', async () => {
  host({})
  hvigorfile('entry', "symup({ service: 'lost', hvigor })")
  const { output } = await build(['assembleHap', ...release, '-p', 'symup.service=from-p', '-p', 'symup.version=2.0.0'])
  expect(output).toContain('symup: service = from-p ← option service')
  expect(output).toContain(
    'WARN: symup: warning version-differs: This upload is for version 2.0.0, but the versionName of the app is 1.0.0.',
  )
  expect(await stored('from-p')).toHaveLength(1)
  const off = await build(['assembleHap', ...release, '-p', 'symup.service=from-p', '-p', 'symup.enabled=false'])
  expect(off.output).toContain('BUILD SUCCESSFUL')
  expect(await stored('from-p')).toHaveLength(1)
})

it.each([
  ['onError left out', 'no key in CI', { SYMUP_API_KEY: '', CI: 'true' }, 'FAILED', 'error api-key-missing'],
  ['onError left out', 'no key elsewhere', { SYMUP_API_KEY: '', CI: '' }, 'SUCCESSFUL', 'No API key is set'],
  ['onError left out', 'a refused key', { SYMUP_API_KEY: 'wrong' }, 'FAILED', 'error unauthorized'],
  [
    'onError left out',
    'an intake that is away',
    { SYMUP_ENDPOINT: 'http://127.0.0.1:1' },
    'SUCCESSFUL',
    'warning unreachable',
  ],
  ["onError: 'warn'", 'a refused key', { SYMUP_API_KEY: 'wrong' }, 'SUCCESSFUL', 'warning unauthorized'],
])(
  'handles failures with %s, %s',
  async (option, _, env, end, problem) => {
    host({})
    hvigorfile('entry', `symup({ service: 'shop', ${option.includes(':') ? option : ''} })`)
    const { output } = await build(['assembleHap', ...release], { env })
    expect(output).toContain(`BUILD ${end}`)
    const level = problem.startsWith('error') ? 'ERROR' : 'WARN'
    expect(output).toContain(`> hvigor ${level}: symup: ${problem}`)
    expect(output).not.toContain('wrong')
  },
  30_000,
)
