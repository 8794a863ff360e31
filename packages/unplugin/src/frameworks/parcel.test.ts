import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { useDirectory, writeIn } from '../../../../test/support/directory.ts'
import { usePrintedLines } from '../../../../test/support/printed.ts'
import { OPTIONS as DRY, MAP } from '../dry-run.fixture.ts'
import { symupParcel } from './parcel.ts'

// test/frameworks runs Parcel's own command. These tests use events that are hard to cause there.

const root = useDirectory('each')
const printed = usePrintedLines()
beforeEach(() => {
  vi.spyOn(process, 'cwd').mockReturnValue(root)
})

function write(path: string, text: string): string {
  writeIn(root, path, text)
  return join(root, path)
}

interface Bundle {
  context?: string
  publicUrl?: string
  /** Simulates Parcel before 2.13, which does not list the written files. */
  isOld?: boolean
  sourceMap?: { inline?: boolean } | null
}

/** A written bundle: its directory, and the script in it. */
function bundle(path: string, { context = 'browser', publicUrl = '/', isOld = false, sourceMap = {} }: Bundle = {}) {
  const filePath = write(path, 'fail()\n//# sourceMappingURL=a.js.map\n')
  const paths = [filePath, ...(sourceMap && !sourceMap.inline ? [write(`${path}.map`, MAP)] : [])]
  return {
    type: 'js',
    name: path.split('/').at(-1) as string,
    hashReference: 'HASH_REF_0123456789abcdef',
    filePath,
    ...(!isOld && { files: paths.map((it) => ({ filePath: it })) }),
    env: { context, sourceMap },
    target: { distDir: dirname(filePath), publicUrl },
  }
}

let instances = 0
const parcel = (more: object = {}) => ({
  ...{ mode: 'production', instanceId: String(instances++), logLevel: 'info' },
  ...{ parcelVersion: '2.16.4', ...more },
})

/** Reports a written build. @returns the log. */
async function built(bundles: ReturnType<typeof bundle>[], symup: unknown = DRY, more: object = {}): Promise<string> {
  write('package.json', JSON.stringify({ symup }))
  const event = { type: 'buildSuccess', bundleGraph: { getBundles: () => bundles } }
  await symupParcel({ event, options: parcel(more) })
  return printed.join('\n')
}

it('takes the prefix from the public URL, and the options from package.json', async () => {
  const output = await built([bundle('dist/a.js', { publicUrl: '/shop/' })])
  expect(output).toContain("minifiedPathPrefix = /shop/ ← Parcel's publicUrl")
  expect(output).toContain('service = shop ← option service')
  expect(output).toContain('/shop/a.js')
})

it('uses a separate prefix for each target, which for an Electron app is below the app', async () => {
  const output = await built([
    bundle('web/a.js', { publicUrl: 'https://cdn.example.com/x/' }),
    bundle('main/a.js', { context: 'electron-main' }),
  ])
  expect(output).toContain('https://cdn.example.com/x/a.js')
  expect(output).toContain('app:///main/a.js')
})

it('stops the build with a reason if the public URL is relative, and deletes no map', async () => {
  await expect(built([bundle('dist/a.js', { publicUrl: './' })])).rejects.toThrow(/publicUrl is relative/)
  expect(readdirSync(join(root, 'dist')).sort()).toEqual(['a.js', 'a.js.map'])
  const others = [bundle('web/a.js', { publicUrl: '/x/' }), bundle('dist/a.js', { publicUrl: './' })]
  await expect(built(others)).rejects.toThrow(/publicUrl is relative/)
})

it.each(['node', 'react-server'])('does not change server code (%s) or its maps', async (context) => {
  const output = await built([bundle('dist/a.js', { context })])
  expect(output).toBe('[symup] Server output is not uploaded. To also upload server code, set server: true.')
})

it('uploads server code on request for the directory where it runs, and keeps its maps', async () => {
  const symup = { ...DRY, server: { service: 'shop-server', minifiedPathPrefix: '/app/out' } }
  const output = await built([bundle('dist/a.js'), bundle('out/b.js', { context: 'node' })], symup)
  expect(output).toContain('/app/out/b.js')
  expect(output).not.toContain('is not uploaded')
})

it('uses the prefix for browser scripts even if a server has its own', async () => {
  const symup = { ...DRY, server: { service: 'shop-server', minifiedPathPrefix: '/app/out' } }
  const bundles = [
    bundle('out/b.js', { context: 'node', publicUrl: './' }),
    bundle('dist/a.js', { publicUrl: '/shop/' }),
  ]
  const output = await built(bundles, symup)
  expect(output).toContain("minifiedPathPrefix = /shop/ ← Parcel's publicUrl")
  expect(output).toContain('→ /app/out/b.js')
  // If no bundle is for browsers, the server's prefix counts.
  await expect(built(bundles.slice(0, 1), { ...symup, server: true })).rejects.toThrow(/publicUrl is relative/)
})

it('replaces each map that Parcel reports as written with an empty file, even compressed maps', async () => {
  vi.spyOn(process, 'once').mockReturnThis()
  vi.stubEnv('SYMUP_API_KEY', '')
  const [written, old] = ['new/a.js', 'old/a.js'].map((path) => {
    const it = bundle(path)
    const gz = write(`${path}.map.gz`, 'gz')
    return { ...it, files: [...(it.files ?? []), { filePath: gz }] }
  }) as [ReturnType<typeof bundle>, ReturnType<typeof bundle>]
  const { files: _, ...withoutFiles } = old
  await built([written, withoutFiles as typeof old], { ...DRY, dryRun: false, onError: 'warn' })
  vi.unstubAllEnvs()
  const textOf = (path: string) => existsSync(join(root, path)) && readFileSync(join(root, path), 'utf8')
  expect(['new/a.js.map', 'new/a.js.map.gz', 'old/a.js.map', 'old/a.js.map.gz'].map(textOf)).toEqual([
    '',
    '',
    '',
    false,
  ])
})

it('works with an older Parcel, which does not report which files it wrote', async () => {
  expect(await built([bundle('dist/a.js', { isOld: true })], DRY, { parcelVersion: undefined })).toContain('/a.js')
})

it('reports that maps are missing or will be deployed', async () => {
  const off = await built([bundle('a/a.js', { sourceMap: null })])
  expect(off).toMatch(/sourcemaps-off: Parcel generates no source maps/)
  expect(off).toContain('Remove --no-source-maps and sourceMap: false.')
  const inline = { ...DRY, deleteAfterUpload: true }
  expect(await built([bundle('b/a.js', { sourceMap: { inline: true } })], inline)).toMatch(
    /map-inline: sourceMap is[\s\S]*Set sourceMap: true\./,
  )
  printed.length = 0
  const server = { service: 'shop-server', minifiedPathPrefix: '/app/out' }
  const bundles = [
    ...[bundle('dist/a.js'), { ...bundle('dist/a.css', { sourceMap: null }), type: 'css' }],
    bundle('out/b.js', { context: 'node', sourceMap: null }),
  ]
  // The build reports no missing maps without scripts or for a server.
  expect(await built(bundles, { ...DRY, server })).not.toContain('sourcemaps-off')
})

it('reports that debug ids are unavailable', async () => {
  expect(await built([bundle('dist/a.js')], { ...DRY, debugIds: true })).toMatch(/debug-ids-unsupported.*Parcel/)
})

it.each([
  ['a plugin that is turned off', { ...DRY, enabled: false }, {}, ''],
  ['a development build', DRY, { mode: 'development' }, '[symup] Nothing is uploaded in development mode.'],
])('uploads nothing for %s', async (_, symup, more, output) => {
  expect(await built([bundle('dist/a.js')], symup, more)).toBe(output)
})

it('hides information if Parcel is quiet, and ignores unrelated events', async () => {
  const quiet = { logLevel: 'warn' }
  expect(await built([bundle('dist/a.js')], DRY, { ...quiet, mode: 'development' })).toBe('')
  expect(await built([bundle('dist/a.js', { context: 'node' })], DRY, quiet)).toBe('')
  await symupParcel({ event: { type: 'watchStart' }, options: parcel(quiet) })
  await symupParcel({ event: { type: 'buildProgress' }, options: parcel() })
  expect(printed).toEqual([])
})

it('keeps the stack of an error that no setting caused', async () => {
  const broken = new Error('broken')
  const getBundles = () => {
    throw broken
  }
  write('package.json', '{}')
  const event = { type: 'buildSuccess', bundleGraph: { getBundles } }
  await expect(symupParcel({ event, options: parcel() })).rejects.toBe(broken)
  expect(broken.stack).toContain('broken')
})

it('reports that a build without bundles has nothing to upload', async () => {
  expect(await built([], { ...DRY, minifiedPathPrefix: '/' })).toContain(
    'nothing-found: The build did not write any files.',
  )
})

it('adjusts maps after the hashes of other files are inserted into scripts', async () => {
  const mappings = 'AAAA,GAAA,iBAAA,UAAA'
  const at = (path: string, text: string) => {
    const it = bundle(path)
    writeFileSync(it.filePath, text)
    writeFileSync(`${it.filePath}.map`, MAP.replace('AAAA', mappings))
    return it
  }
  const [own, style, plain] = [
    at('dist/a.js', 'a("1a2b3c4d",b)'),
    at('dist/a.css', 'a("1a2b3c4d",b)'),
    at('dist/c.js', 'c()'),
  ]
  const hashed = { ...bundle('dist/b.1a2b3c4d.js'), name: 'b.HASH_REF_0123456789abcdef.js' }
  await built([own, { ...style, type: 'css' }, plain, hashed])
  const mappingsOf = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')).mappings
  expect(['dist/a.js.map', 'dist/a.css.map', 'dist/c.js.map'].map(mappingsOf)).toEqual([
    ...['AAAA,GAAA,AAAA,UAAA', mappings, mappings],
  ])
})

it('writes the release into pages on request, unless they have a compressed copy', async () => {
  const page = (path: string, ...others: string[]) => {
    const filePath = write(path, '<html><head><title>ä</title></head></html>')
    const files = [filePath, ...others.map((it) => write(it, ''))].map((it) => ({ filePath: it }))
    return { ...bundle('dist/a.js'), type: 'html', name: path, filePath, files }
  }
  const pages = () => [page('dist/index.html'), page('dist/packed.html', 'dist/packed.html.gz')]
  const hasRelease = (path: string) => {
    const html = readFileSync(join(root, path), 'utf8')
    expect(html).toContain('<title>ä</title>')
    return /<meta [^>]*shop/.test(html)
  }
  await built([bundle('dist/a.js'), ...pages()])
  expect(['dist/index.html', 'dist/packed.html'].map(hasRelease)).toEqual([false, false])
  await built([bundle('dist/a.js'), ...pages()], { ...DRY, injectRelease: true })
  expect(['dist/index.html', 'dist/packed.html'].map(hasRelease)).toEqual([true, false])
  expect(readFileSync(join(root, 'dist/a.js'), 'utf8')).toContain('fail()')
})

it.each([
  [undefined, ''],
  [true, 'gone'],
])(
  'with deleteAfterUpload %s, keeps the map of a server unless requested otherwise: %j',
  async (deleteAfterUpload, map) => {
    vi.spyOn(process, 'once').mockReturnThis()
    vi.stubEnv('SYMUP_API_KEY', '')
    const server = { service: 'shop-server', minifiedPathPrefix: '/app/out' }
    const symup = { ...DRY, dryRun: false, onError: 'warn', server, ...(deleteAfterUpload && { deleteAfterUpload }) }
    await built([bundle('dist/a.js'), bundle('out/b.js', { context: 'node' })], symup)
    vi.unstubAllEnvs()
    const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
    expect([textOf('dist/a.js.map'), textOf('out/b.js.map')]).toEqual(['', map === 'gone' ? '' : MAP])
  },
)

it('uploads nothing while watching or serving', async () => {
  const options = parcel()
  await symupParcel({ event: { type: 'watchStart' }, options })
  const event = { type: 'buildSuccess', bundleGraph: { getBundles: () => [bundle('dist/a.js')] } }
  await symupParcel({ event, options })
  await symupParcel({ event, options })
  expect(printed).toEqual(['[symup] The build runs in watch mode, so nothing is uploaded.'])
})

it.each([
  ['[1]', 'The field "symup" in package.json must be an object.'],
  ['"shop"', 'The field "symup" in package.json must be an object.'],
])('fails the build if the options field is invalid: %s', async (field, why) => {
  await expect(built([bundle('dist/a.js')], JSON.parse(field))).rejects.toMatchObject({
    message: expect.stringContaining(why),
    problems: [{ code: 'config-file-invalid', file: 'package.json' }],
    // Parcel prints the stack below the message, so the error contains none.
    stack: '',
  })
})

it('fails the build if package.json is not JSON', async () => {
  write('package.json', '{')
  const event = { type: 'buildSuccess', bundleGraph: { getBundles: () => [] } }
  await expect(symupParcel({ event, options: parcel() })).rejects.toThrow('The file is not valid JSON.')
})

it('exits with 1 even if Parcel continues after the reporter throws', async () => {
  const once = vi.spyOn(process, 'once').mockReturnThis()
  await expect(built([bundle('dist/a.js')], [], { parcelVersion: undefined })).rejects.toThrow()
  const [[name, end] = []] = once.mock.calls as [string, () => void][]
  const { exitCode } = process
  try {
    process.exitCode = 0
    end?.()
    expect([name, process.exitCode]).toEqual(['exit', 1])
  } finally {
    process.exitCode = exitCode
  }
})

it('replaces a deleted map with an empty file until the process ends, so that Parcel notices the deletion', async () => {
  const once = vi.spyOn(process, 'once').mockReturnThis()
  // Without a key, no artifact can be uploaded, and no map stays.
  vi.stubEnv('SYMUP_API_KEY', '')
  const bundles = ['dist/a.js', 'dist/b.js', 'dist/c.js'].map((path) => bundle(path))
  await built(bundles, { ...DRY, dryRun: false, onError: 'warn' })
  vi.unstubAllEnvs()
  const map = join(root, 'dist/a.js.map')
  const [next, gone] = [join(root, 'dist/b.js.map'), join(root, 'dist/c.js.map')]
  for (const path of [map, next, gone]) expect(readFileSync(path, 'utf8')).toBe('')
  // Meanwhile, another build may have finished.
  writeFileSync(next, MAP)
  rmSync(gone)
  expect(readFileSync(join(root, 'dist/a.js'), 'utf8')).toBe('fail()')
  const ends = (once.mock.calls as unknown as [string, () => void][]).filter(([name]) => name === 'exit')
  for (const [, end] of ends.slice(-1)) end()
  expect([map, next].map((path) => existsSync(path))).toEqual([false, true])
})
