import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { packFiles } from '../../formats/zip/pack.ts'
import { openZip } from '../../formats/zip/zip.ts'
import { examineImages } from './check.ts'
import { collectDsyms } from './dsym.ts'
import { hideNames } from './hide-names.fixture.ts'
import { dsym } from './index.ts'

const APPLE = resolve(import.meta.dirname, '../../../../../fixtures/symbols/apple')
const FAT = 'Shop.framework.dSYM'
const THIN = 'shop-arm64.dylib.dSYM'
const FAT_UUIDS = '4C4C4400-5555-3144-A175-1EE13D97C6A0,4C4C4423-5555-3144-A1DB-4B0B3A85B578'
const DWARF = 'Contents/Resources/DWARF'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-dsym-test-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const copy = (name: string, to: string) => cpSync(join(APPLE, name), join(root, to), { recursive: true })
let runs = 0
const collect = (...paths: string[]) => {
  const temporaryDirectory = join(root, `temporary-${++runs}`)
  mkdirSync(temporaryDirectory)
  return collectDsyms({ paths, cwd: root, temporaryDirectory, toolVersion: '1.0.0' })
}
const codes = ({ problems }: { problems: { code: string }[] }) => problems.map(({ code }) => code)

describe('collectDsyms', () => {
  it('packs a single dSYM with all its UUIDs as one archive, rooted at the .dSYM directory', async () => {
    copy(FAT, FAT)
    const plan = await collect(FAT)
    expect(plan.problems).toEqual([])
    expect(plan.uploads).toMatchObject([
      {
        event: { type: 'ios_symbols', cli_version: '1.0.0', uuids: FAT_UUIDS },
        parts: [{ name: 'symbols_archive', filename: 'ios_symbols_archive' }],
        encoding: 'identity',
      },
    ])
    expect(plan.dsyms).toMatchObject([
      {
        name: FAT,
        images: [
          { arch: 'x86_64', hasDebugInfo: true },
          { arch: 'arm64', hasDebugInfo: true },
        ],
      },
    ])
    // The file inside a dSYM, which atos accepts, works as well.
    expect((await collect(`${FAT}/${DWARF}/Shop`)).uploads).toMatchObject([{ event: { uuids: FAT_UUIDS } }])
    const zip = await openZip(plan.uploads[0]?.parts[0]?.path as string, 100)
    expect(zip.entries.map(({ name }) => name)).toEqual([
      `${FAT}/Contents/Info.plist`,
      `${FAT}/${DWARF}/Shop`,
      `${FAT}/Contents/Resources/Relocations/aarch64/Shop.yml`,
      `${FAT}/Contents/Resources/Relocations/x86_64/Shop.yml`,
    ])
    await zip.close()
  })

  it('produces the same bytes on any machine at any time', async () => {
    copy(FAT, FAT)
    const first = await collect(FAT)
    utimesSync(join(root, FAT, 'Contents/Info.plist'), new Date(2001, 1, 1), new Date(2001, 1, 1))
    const second = await collect(FAT)
    const bytes = [first, second].map(({ uploads }) => readFileSync(uploads[0]?.parts[0]?.path as string))
    expect(bytes[0]?.equals(bytes[1] as Buffer)).toBe(true)
  })

  it('finds every dSYM in an .xcarchive and sends each UUID once', async () => {
    copy(FAT, `Shop.xcarchive/dSYMs/${FAT}`)
    copy(THIN, `Shop.xcarchive/dSYMs/${THIN}`)
    copy('more/shop-macx64.dylib.dSYM', 'Shop.xcarchive/dSYMs/Mac.dSYM')
    const plan = await collect('Shop.xcarchive')
    expect(plan.dsyms.map(({ name }) => name)).toEqual(['Mac.dSYM', FAT, THIN])
    expect(plan.uploads.map(({ event }) => 'uuids' in event && event.uuids)).toEqual([
      '4C4C449F-5555-3144-A1A0-BA7D57558031',
      FAT_UUIDS,
    ])
    expect(plan.problems).toMatchObject([{ code: 'dsym-duplicate', file: `Shop.xcarchive/dSYMs/${THIN}` }])
  })

  it('reads only dSYM files from a zip archive', async () => {
    copy(FAT, FAT)
    writeFileSync(join(root, 'readme.txt'), 'x')
    const inside = ['Contents/Info.plist', `${DWARF}/Shop`].map((name) => ({
      path: join(root, FAT, name),
      name: `out/${FAT}/${name}`,
    }))
    await packFiles([...inside, { path: join(root, 'readme.txt'), name: 'readme.txt' }], join(root, 'symbols.zip'))
    const plan = await collect('symbols.zip')
    expect(plan.problems).toEqual([])
    expect(plan.uploads).toMatchObject([{ event: { uuids: FAT_UUIDS } }])
  })

  it('finds every app, extension, watch app and framework in an archive, and zip files in a directory', async () => {
    for (const name of ['Shop.app', 'ShopWidget.appex', 'ShopWatch.app'])
      copy('Shop.framework.dSYM/Contents/Info.plist', `A.xcarchive/Products/Applications/${name}/Info.plist`)
    copy(FAT, 'A.xcarchive/dSYMs/Shop.app.dSYM')
    copy('more/shop-macx64.dylib.dSYM', 'A.xcarchive/dSYMs/ShopWidget.appex.dSYM')
    mkdirSync(join(root, 'build'))
    const image = { path: join(APPLE, THIN, DWARF, 'shop-arm64.dylib'), name: `ShopWatch.app.dSYM/${DWARF}/ShopWatch` }
    const other = { ...image, path: join(APPLE, 'more/Shop-fat64'), name: `Admin.app.dSYM/${DWARF}/Admin` }
    await packFiles([image, other], join(root, 'build/Shop.app.dSYM.zip'))
    const plan = await collect('A.xcarchive', 'build')
    expect(plan.uploads.map(({ from }) => from?.slice(root.length + 1))).toEqual([
      'A.xcarchive/dSYMs/Shop.app.dSYM',
      'A.xcarchive/dSYMs/ShopWidget.appex.dSYM',
      'build/Shop.app.dSYM.zip/Admin.app.dSYM',
    ])
    expect(plan.problems).toMatchObject([
      { code: 'dsym-duplicate', file: 'build/Shop.app.dSYM.zip/ShopWatch.app.dSYM' },
    ])
  })

  it('names each binary without a matching dSYM in an archive or a zip file, and in symup check', async () => {
    const app = 'Shop.xcarchive/Products/Applications/Shop.app'
    copy(FAT, `Shop.xcarchive/dSYMs/${FAT}`)
    const [own, other] = [`${FAT}/${DWARF}/Shop`, 'more/shop-macx64.dylib.dSYM']
    copy(own, `${app}/Shop`)
    const image = `${other}/${DWARF}/${readdirSync(join(APPLE, other, DWARF))[0]}`
    const places = [
      'Frameworks/Vend.framework/Vend',
      'PlugIns/My Widget.appex/My Widget',
      'Frameworks/libVend.dylib',
      'Contents/MacOS/Shop.Helper',
    ]
    const ignored = ['Frameworks/libswiftCore.dylib', 'Watch/W.app/_WatchKitStub/WK', 'Assets.car']
    const files = [`Shop.xcarchive/dSYMs/${own}`, `${app}/Shop`]
    writeFileSync(join(root, app, 'PkgInfo'), 'APPL????')
    for (const place of ignored) copy(image, `${app}/${place}`)
    const zipped = () =>
      packFiles(
        files.map((name) => ({ name, path: join(root, name) })),
        join(root, 'Shop.zip'),
      )
    await zipped()
    for (const paths of ['Shop.xcarchive', 'Shop.zip']) expect((await collect(paths)).problems).toEqual([])
    for (const place of places) {
      copy(image, `${app}/${place}`)
      const file = `${app}/${place}`
      const missing = { code: 'dsym-missing', severity: 'warning', message: expect.stringContaining(basename(place)) }
      expect((await collect('Shop.xcarchive')).problems).toMatchObject([{ ...missing, file }])
      const target = { directory: root, cwd: root, single: false, files: [...files, file], own: files.slice(0, 1) }
      expect((await examineImages(target)).problems).toMatchObject([{ ...missing, file }])
      files.push(file)
      renameSync(join(root, 'Shop.xcarchive'), join(root, 'archive'))
      const renamed = file.replace('Shop.xcarchive', 'archive')
      expect((await collect('archive')).problems).toMatchObject([{ ...missing, file: renamed }])
      renameSync(join(root, 'archive'), join(root, 'Shop.xcarchive'))
      await zipped()
      expect((await collect('Shop.zip')).problems).toMatchObject([{ ...missing, file: `Shop.zip/${file}` }])
      expect(codes(await collect('Shop.xcarchive', join(APPLE, other)))).toEqual([])
      files.pop()
      rmSync(join(root, file))
    }
  })

  it('reads dSYM zip files inside a zip file, but no deeper', async () => {
    const image = (name: string) => ({
      path: join(APPLE, THIN, DWARF, 'shop-arm64.dylib'),
      name: `${name}/${DWARF}/Shop`,
    })
    await packFiles([image('Shop.app.dSYM')], join(root, 'inner.zip'))
    const other = { ...image('Deep.dSYM'), path: join(APPLE, 'more/Shop-fat64') }
    await packFiles([other], join(root, 'deepest.zip'))
    await packFiles([{ path: join(root, 'deepest.zip'), name: 'Deep.dSYM.zip' }], join(root, 'deep.zip'))
    const inside = [
      { path: join(root, 'inner.zip'), name: 'out/Shop.app.dSYM.zip' },
      { path: join(root, 'deep.zip'), name: 'out/deep.dSYM.zip' },
    ]
    await packFiles(inside, join(root, 'all.zip'))
    const plan = await collect('all.zip')
    expect(plan.problems).toEqual([])
    expect(plan.uploads.map(({ from }) => from?.slice(root.length + 1))).toEqual([
      'all.zip/out/Shop.app.dSYM.zip/Shop.app.dSYM',
    ])
  })

  it('names an archive that may contain the dSYMs if the directory contains none', async () => {
    mkdirSync(join(root, 'out'))
    writeFileSync(join(root, 'out/artifacts.tar.gz'), 'x')
    expect((await collect('out')).problems).toMatchObject([
      {
        code: 'dsym-not-found',
        fix: expect.stringMatching(/^If the archive out\/artifacts\.tar\.gz contains the dSYMs, unpack it/),
      },
    ])
    expect((await collect('out/artifacts.tar.gz')).problems).toMatchObject([
      { code: 'archive-invalid', fix: expect.stringMatching(/^Unpack the archive/) },
    ])
  })

  it('also sends the BCSymbolMap with the names of code that Apple compiled from bitcode', async () => {
    const { image, map } = hideNames(readFileSync(join(APPLE, THIN, DWARF, 'shop-arm64.dylib')))
    const [uuid, original] = ['4C4C4423-5555-3144-A1DB-4B0B3A85B578', 'C8374B6D-6E96-34D8-AE38-EFAA5FEC424F']
    const files = {
      [`store/${uuid}.dSYM/${DWARF}/Shop`]: image,
      [`store/${uuid}.dSYM/Contents/Resources/${uuid}.plist`]: `<plist version="1.0"><dict>\n  <key>DBGOriginalUUID</key>\n  <string>${original}</string>\n</dict></plist>`,
      [`Shop.xcarchive/BCSymbolMaps/${original}.bcsymbolmap`]: map,
      [`others/${original}.bcsymbolmap`]: 'BCSymbolMap Version: 1.0\nx\n',
    }
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(root, dirname(name)), { recursive: true })
      writeFileSync(join(root, name), content)
    }
    const missing = { code: 'symbol-map-missing', severity: 'warning', file: `store/${uuid}.dSYM` }
    for (const paths of [['store'], ['store', 'others']]) {
      const plan = await collect(...paths)
      expect(plan.problems).toMatchObject([missing])
      expect(plan.uploads).toHaveLength(1)
    }
    for (const maps of ['Shop.xcarchive', `Shop.xcarchive/BCSymbolMaps/${original}.bcsymbolmap`]) {
      const plan = await collect('store', maps)
      expect(plan.problems).toEqual([])
      const zip = await openZip(plan.uploads[0]?.parts[0]?.path as string, 100)
      expect(zip.entries.map(({ name }) => name)).toContain(
        `${uuid}.dSYM/Contents/Resources/BCSymbolMaps/${uuid}.bcsymbolmap`,
      )
      await zip.close()
    }
    const { problems } = await examineImages({
      ...{ directory: root, cwd: root, single: false },
      ...{ files: Object.keys(files).slice(0, 2), own: Object.keys(files).slice(0, 1) },
    })
    expect(problems).toMatchObject([{ code: 'symbol-map-missing' }])
  })

  it('reports a dSYM without its image in symup check, but no complete dSYM', async () => {
    copy(FAT, FAT)
    mkdirSync(join(root, 'empty.dSYM/Contents'), { recursive: true })
    writeFileSync(join(root, 'empty.dSYM/Contents/Info.plist'), '<plist/>')
    writeFileSync(join(root, 'copied.dSYM'), '')
    const files = [
      `${FAT}/Contents/Info.plist`,
      `${FAT}/${DWARF}/Shop`,
      'copied.dSYM',
      'empty.dSYM/Contents/Info.plist',
    ]
    const own = files.filter((file) => dsym.check?.isOne(file, false))
    expect(own).toEqual(files)
    const found = await examineImages({ directory: root, cwd: root, single: false, files, own })
    expect(found.files.map(({ path }) => path)).toEqual([`${FAT}/${DWARF}/Shop`])
    expect(found.problems.map(({ code, file }) => [code, file])).toEqual([
      ['dsym-without-debug-info', 'copied.dSYM'],
      ['dsym-without-debug-info', 'empty.dSYM'],
    ])
  })

  it('recognizes an App Center archive by its name', async () => {
    copy(FAT, FAT)
    mkdirSync(join(root, 'down'))
    await packFiles(
      [{ path: join(root, FAT, DWARF, 'Shop'), name: `symbols/${FAT}/${DWARF}/Shop` }],
      join(root, 'down/symbols.zip'),
    )
    expect((await collect('down')).uploads).toMatchObject([{ event: { uuids: FAT_UUIDS } }])
    expect(
      ['down/symbols.zip', 'native-debug-symbols.zip', 'app-symbol.zip'].map((it) => dsym.check?.isOne(it, false)),
    ).toEqual([true, false, false])
  })

  it('refuses files that would not resolve any frame', async () => {
    mkdirSync(join(root, `a.dSYM/${DWARF}`), { recursive: true })
    copy('more/Shop.stripped', `a.dSYM/${DWARF}/Shop`)
    mkdirSync(join(root, `b.dSYM/${DWARF}`), { recursive: true })
    copy('more/no-uuid.dylib', `b.dSYM/${DWARF}/Shop`)
    mkdirSync(join(root, `c.dSYM/${DWARF}`), { recursive: true })
    writeFileSync(join(root, `c.dSYM/${DWARF}/Shop`), readFileSync(join(APPLE, FAT, DWARF, 'Shop')).subarray(0, 12_000))
    mkdirSync(join(root, 'd.dSYM/Contents'), { recursive: true })
    writeFileSync(join(root, 'd.dSYM/Contents/Info.plist'), '<plist/>')
    const plan = await collect('.')
    expect(plan.uploads).toEqual([])
    expect(plan.problems.map(({ code, file }) => `${file} ${code}`)).toEqual([
      'a.dSYM dsym-without-debug-info',
      'b.dSYM uuid-missing',
      'b.dSYM dsym-without-debug-info',
      'c.dSYM native-damaged',
      'd.dSYM dsym-without-debug-info',
    ])
  })

  it('explains what to pass instead of a file that is neither a dSYM nor an archive', async () => {
    writeFileSync(join(root, 'Shop.pdb'), 'Microsoft C/C++ MSF 7.00')
    writeFileSync(join(root, 'Shop'), 'text')
    writeFileSync(join(root, 'empty'), '')
    const message = 'The file is neither a .dSYM nor a zip archive.'
    expect((await collect('Shop.pdb', 'Shop', 'empty')).problems).toMatchObject([
      {
        code: 'dsym-not-found',
        file: 'Shop.pdb',
        message,
        fix: expect.stringMatching(/^Shop\.pdb is from a Windows/),
      },
      { code: 'dsym-not-found', file: 'Shop', message, fix: expect.stringMatching(/pass the dSYM, its directory/) },
      { code: 'dsym-not-found', file: 'empty', message },
    ])
  })

  it('reports that a directory contains no dSYM', async () => {
    writeFileSync(join(root, 'broken.zip'), 'PK no zip')
    mkdirSync(join(root, 'empty'))
    expect(codes(await collect('empty'))).toEqual(['dsym-not-found'])
    expect(codes(await collect('broken.zip'))).toEqual(['archive-invalid'])
    expect(codes(await collect('nowhere'))).toEqual(['directory-unreadable'])
    writeFileSync(join(root, 'Shop.dSYM.zip'), 'PK no zip')
    const target = { directory: root, cwd: root, single: true, files: ['Shop.dSYM.zip'], own: ['Shop.dSYM.zip'] }
    expect(await examineImages(target)).toMatchObject({
      files: [{ path: 'Shop.dSYM.zip', kind: 'mach-o' }],
      problems: [{ code: 'archive-invalid', file: 'Shop.dSYM.zip' }],
    })
  })
})
