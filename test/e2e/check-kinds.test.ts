import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckDocument } from '@symup/core'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { writeZip } from '../support/crafted-zip.ts'
import { useDirectory } from '../support/directory.ts'
import { runSymup } from '../support/run-symup.ts'

const symbols = join(ROOT, 'fixtures/symbols')
const BUNDLE = 'index.android.bundle'

const place = useDirectory()
beforeAll(async () => {
  for (const directory of ['out/ark', 'out/lib/arm64-v8a', 'mini'])
    mkdirSync(join(place, directory), { recursive: true })
  writeFileSync(join(place, 'small.ts'), 'export const small = (a: number) => a + 1\n')
  writeFileSync(
    join(place, 'large.ts'),
    `import { small } from './small'\nexport function large(a: number) {\n  if (a < 0) throw new Error('no')\n  return small(a)\n}\nconsole.log(large(1))\n`,
  )
  const options = { bundle: true, minify: true, sourcemap: 'external' } as const
  await build({ entryPoints: [join(place, 'large.ts')], outdir: join(place, 'out'), ...options })
  await build({ entryPoints: [join(place, 'large.ts')], outdir: join(place, 'mini'), ...options })
  copyFileSync(join(symbols, 'harmony/turbowarp-hmos-MIT/sourceMaps.map'), join(place, 'out/ark/sourceMaps.map'))
  copyFileSync(join(symbols, 'native/arm64-v8a/libshop.so'), join(place, 'out/lib/arm64-v8a/libshop.so'))
  writeFileSync(join(place, 'out/mapping.txt'), 'com.shop.Cart -> a.a:\n    int total -> b\n')
  for (const suffix of ['', '.map'])
    copyFileSync(join(symbols, 'react-native/android', BUNDLE + suffix), join(place, 'out', BUNDLE + suffix))
  writeFileSync(join(place, 'mini/app.json'), '{"pages":[]}')
  await runSymup(['mini-program', 'pack', 'mini', '-o', 'out/sourcemap.zip'], { cwd: place })
})

const check = (...args: string[]) => runSymup(['check', ...args, '--no-config-file'], { cwd: place })
const document = async (...args: string[]) => JSON.parse((await check(...args, '--json')).stdout) as CheckDocument

describe('symup check', () => {
  it('accepts scripts with an uppercase extension', async () => {
    mkdirSync(join(place, 'capitals'))
    for (const suffix of ['', '.map'])
      copyFileSync(join(place, `out/large.js${suffix}`), join(place, `capitals/LARGE.MJS${suffix}`))
    for (const target of ['capitals', 'capitals/LARGE.MJS']) {
      const { files, problems } = await document(target)
      expect(files.map(({ path, kind }) => [path, kind])).toEqual([['capitals/LARGE.MJS', 'javascript']])
      expect(problems.filter(({ code }) => code !== 'leak-map')).toEqual([])
    }
  })

  it('lists every kind in one table, and the main content of the scripts', async () => {
    const { files } = await document('out')
    expect(new Set(files.map(({ kind }) => kind))).toEqual(
      new Set(['javascript', 'mini-program', 'arkts', 'jvm-mapping', 'elf', 'react-native']),
    )
    expect(files.find(({ kind }) => kind === 'arkts')?.maps).toBe(3)
    expect(files.find(({ kind }) => kind === 'mini-program')).toMatchObject({ maps: 1 })
    const sizes = files.find(({ kind }) => kind === 'javascript')?.biggestSources ?? []
    expect(sizes.map(({ source }) => source)).toEqual(['../large.ts', '../small.ts'])
    const { stdout } = await check('out')
    expect(stdout).toMatch(
      /The decompressed size of .*sourcemap\.zip is .* \(limit: 500\.0 MiB\)\. The largest source map, .*, is .* in size \(limit: 50\.0 MiB\)\./,
    )
  })

  it('checks a single script only with its own map', async () => {
    writeFileSync(join(place, 'out/other.js.map'), '{}')
    const { files, problems } = await document('out/large.js')
    expect(files.map(({ path }) => path)).toEqual(['out/large.js'])
    expect(problems).toMatchObject([{ code: 'leak-map', file: 'out/large.js.map' }])
    rmSync(join(place, 'out/other.js.map'))
  })

  it('exits with 3 for a single source map, and explains what to pass', async () => {
    const { exitCode, stdout } = await check('out/large.js.map')
    expect(exitCode).toBe(3)
    expect(stdout).toContain('out/large.js.map is a source map. symup checks source maps together with their scripts.')
  })

  it.runIf(process.platform === 'linux')('exits with 2 for a path that is neither a file nor a directory', async () => {
    const { exitCode, stderr } = await check('/dev/null')
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('The path is neither a file nor a directory.')])
  })

  it('does not require maps in mini program output, which goes to its host', async () => {
    const { exitCode, stdout } = await check('mini', '--fail-on-warnings')
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('Checked 1 file: 0 errors, 0 warnings.')
    expect(exitCode).toBe(0)
    for (const other of ['{"expo":{}}', 'null', '{']) {
      cpSync(join(place, 'mini'), join(place, 'web'), { recursive: true })
      writeFileSync(join(place, 'web/app.json'), other)
      expect((await check('web')).stdout).toContain('1 warning (leak-map)')
    }
    // The project around it, with a web app next to it, and with comments, which some hosts allow.
    cpSync(join(place, 'mini'), join(place, 'project/miniprogram'), { recursive: true })
    writeFileSync(join(place, 'project/miniprogram/app.json'), '{"pages": ["a"], // the first\n}')
    expect((await check('project')).stdout).toContain('0 errors, 0 warnings.')
    cpSync(join(place, 'web'), join(place, 'project/web'), { recursive: true })
    expect((await check('project')).stdout).toContain('1 warning (leak-map)')
  })

  it('exits with 1 if no script has a map, unless that is allowed', async () => {
    mkdirSync(join(place, 'bare'))
    writeFileSync(join(place, 'bare/app.js'), 'throw new Error("no")\n')
    const { exitCode, stdout } = await check('bare')
    expect(stdout).toContain('error no-map: No script in bare has a source map, so no stack would resolve.')
    expect(exitCode).toBe(1)
    for (const allow of [
      ['--allow', 'no-map'],
      ['--allow-leaks', 'no-map'],
    ]) {
      const allowed = await check('bare', '--fail-on-warnings', ...allow)
      expect([allowed.exitCode, allowed.stdout]).toEqual([0, expect.stringContaining('info no-map')])
    }
    expect((await document('mini')).problems).toEqual([])
    // Maps are there, so turning them on does not help.
    writeFileSync(join(place, 'bare/app.js.js.map'), readFileSync(join(place, 'out/large.js.map')))
    expect((await check('bare')).stdout).toContain('fix: Add a sourceMappingURL comment to each script')
    writeFileSync(join(place, 'bare/app.js'), 'throw new Error("no")\n//# sourceMappingURL=gone.map\n')
    expect((await check('bare')).stdout).not.toContain('Turn on source maps')
  })

  it('exits with 1 under --strict if a map of any kind would leave stacks unresolved', async () => {
    writeFileSync(join(place, 'bad.map'), '')
    mkdirSync(join(place, 'bad'), { recursive: true })
    writeFileSync(join(place, 'bad/sourceMaps.map'), '{"version":3,"mappings":""}')
    writeFileSync(join(place, 'bad/nameCache.json'), '{')
    copyFileSync(join(symbols, 'react-native/android', BUNDLE), join(place, 'bad', BUNDLE))
    copyFileSync(join(symbols, 'react-native/android', `${BUNDLE}.packager.map`), join(place, 'bad', `${BUNDLE}.map`))
    writeFileSync(join(place, 'bad/sourcemap.zip'), 'no zip')
    const found = await document('bad')
    expect(found.problems.map(({ code, file }) => [code, file]).sort()).toEqual([
      ['archive-invalid', 'bad/sourcemap.zip'],
      ['arkts-map-invalid', 'bad/sourceMaps.map'],
      ['map-uncomposed', `bad/${BUNDLE}.map`],
      ['name-cache-invalid', 'bad/nameCache.json'],
    ])
    expect((await check('bad', '--strict')).exitCode).toBe(1)
    const blank = join(place, 'blank')
    mkdirSync(blank, { recursive: true })
    writeFileSync(join(blank, 'a.js'), 'a()')
    writeFileSync(join(blank, 'a.js.map'), '{"version":3,"sources":["a"],"names":[],"mappings":";;"}')
    await runSymup(['mini-program', 'pack', 'blank', '-o', 'blank.zip'], { cwd: place })
    expect((await document('blank.zip')).problems.map(({ code, file }) => [code, file])).toContainEqual([
      'map-blank',
      expect.stringMatching(/^blank\.zip: .*a\.js\.map$/),
    ])
    const codes = [[], ['--fail-on-warnings'], ['--strict']].map(
      async (flags) => (await check('blank.zip', ...flags)).exitCode,
    )
    expect(await Promise.all(codes)).toEqual([1, 1, 1])
  })
})

describe('symup check for native symbols', () => {
  const rows = async (path: string) =>
    (await document(path)).files.map(({ kind, path: file, arch }) =>
      [kind, file.split('/').at(-1), arch].filter(Boolean),
    )

  it('recognizes ArkTS maps by their module, Breakpad files and Flutter symbols', async () => {
    mkdirSync(join(place, 'kinds'), { recursive: true })
    const put = (from: string, to: string) => copyFileSync(join(symbols, from), join(place, 'kinds', to))
    put('harmony/turbowarp-hmos-MIT/sourceMaps.map', 'entry-sourceMaps.map')
    put('flutter/app.ios-arm64.symbols', 'app.ios-arm64.symbols')
    const text = `MODULE Linux x86_64 ${'A'.repeat(33)} shop\nFUNC 1000 10 0 main\n`
    writeFileSync(join(place, 'kinds/shop.sym'), text)
    expect(await document('kinds')).toMatchObject({ problems: [] })
    expect((await rows('kinds')).sort()).toEqual([
      ['arkts', 'entry-sourceMaps.map'],
      ['breakpad', 'shop.sym', 'x86_64'],
      ['flutter', 'app.ios-arm64.symbols', 'arm64'],
    ])
  })

  it('recognizes Breakpad and Gradle files named like a library’s symbols by their content', async () => {
    mkdirSync(join(place, 'named'), { recursive: true })
    const text = `MODULE Linux x86_64 ${'A'.repeat(33)} libffmpeg.so\nFUNC 1000 10 0 main\n`
    writeFileSync(join(place, 'named/libffmpeg.so.sym'), text)
    copyFileSync(join(symbols, 'native/arm64-v8a/libshop.so'), join(place, 'named/libshop.so.sym'))
    expect((await rows('named')).sort()).toEqual([
      ['breakpad', 'libffmpeg.so.sym', 'x86_64'],
      ['elf', 'libshop.so.sym', 'arm64'],
    ])
    expect(await document('named/libffmpeg.so.sym')).toMatchObject({ problems: [], files: [{ kind: 'breakpad' }] })
  })

  it('accepts a dSYM itself, without reading other files next to it', async () => {
    for (const name of ['Shop', 'Other'])
      cpSync(join(symbols, 'apple/shop-arm64.dylib.dSYM'), join(place, `dsyms/${name}.dSYM`), { recursive: true })
    const { files, problems } = await document('dsyms/Shop.dSYM')
    expect(files.map(({ path }) => path)).toEqual(['dsyms/Shop.dSYM/Contents/Resources/DWARF/shop-arm64.dylib'])
    expect(problems).toEqual([])
  })

  it("does not mistake a zip of dSYMs, with Finder's extra files, or an app-symbol.zip for a mini program", async () => {
    const bundle = 'Shop.framework.dSYM/Contents/Resources/DWARF/Shop'
    const image = readFileSync(join(symbols, 'apple', bundle))
    const finder = Buffer.from('00051607000200004d6163204f53205820202020', 'hex')
    const other = readFileSync(join(symbols, 'apple/shop-arm64.dylib.dSYM/Contents/Resources/DWARF/shop-arm64.dylib'))
    writeZip(join(place, 'Archive.zip'), {
      entries: [
        { name: bundle, content: image },
        { name: `__MACOSX/${bundle.replace(/[^/]+$/, '._Shop')}`, content: finder },
        { name: 'Shop.framework.dSYM/.DS_Store', content: finder },
        { name: 'Admin.app.dSYM/Contents/Resources/DWARF/Admin', content: other },
        { name: 'old/Admin.app.dSYM/Contents/Resources/DWARF/Admin', content: other },
      ],
    })
    const { problems } = await document('Archive.zip')
    expect(problems).toMatchObject([{ code: 'dsym-duplicate', file: 'Archive.zip/old/Admin.app.dSYM' }])
    expect((await rows('Archive.zip')).sort()).toEqual([
      ['mach-o', 'Admin.app.dSYM', 'arm64'],
      ['mach-o', 'Admin.app.dSYM', 'arm64'],
      ['mach-o', 'Shop.framework.dSYM', 'x86_64+arm64'],
    ])
    copyFileSync(join(symbols, 'harmony/turbowarp-hmos-MIT/app-symbol.zip'), join(place, 'app-symbol.zip'))
    expect((await rows('app-symbol.zip')).map(([kind]) => kind)).toContain('arkts')
    expect((await rows('app-symbol.zip')).map(([kind]) => kind)).not.toContain('mini-program')
  })

  it('reports the content of the libraries in an app-symbol.zip', async () => {
    const library = (path: string) => readFileSync(join(symbols, path))
    writeZip(join(place, 'held-app-symbol.zip'), {
      entries: [
        { name: 'entry/entry-sourceMaps.map', content: library('harmony/turbowarp-hmos-MIT/sourceMaps.map') },
        { name: 'entry/libs/arm64-v8a/libshop.so', content: library('native/arm64-v8a/libshop.so') },
        { name: 'entry/libs/arm64-v8a/libnames.so', content: library('rich/symbols-arm64.so') },
      ],
    })
    const { stdout } = await check('held-app-symbol.zip')
    expect(stdout).toMatch(/libshop\.so .*, debug info$/m)
    expect(stdout).toMatch(/libnames\.so .*, symbols only$/m)
    expect(stdout).toContain('debug-info-missing: held-app-symbol.zip/entry/libs/arm64-v8a/libnames.so: ')
  })
})
