import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type CraftedEntry, deflated } from '../../../../../test/support/crafted-zip.ts'
import { collectMiniProgram } from './mini-program.ts'
import { MAIN, MAP, useArchive } from './mini-program-archive.fixture.ts'
import { subPackagesComment } from './sub-packages.ts'

const { archive, check, verdict } = useArchive()

describe('sub-packages of a mini program', () => {
  const tags = async (names: string[], comment = '') => {
    const result = await check(
      names.map((name) => ({ name, content: MAP })),
      { comment },
    )
    if (typeof result === 'string') throw new Error(result)
    return Object.fromEntries(result.maps.map(({ entry, subPackage }) => [entry, subPackage]))
  }

  it("takes sub-packages from the directories in WeChat's own zip files, even if roots are nested", async () => {
    expect(
      await tags([
        '__APP__/app-service.js.map',
        '__FULL__/appservice.app.js.map',
        '__FULL__/chunk_0.appservice.js.map',
        'packageA/app-service.js.map',
        'packages/order/chunk_12.appservice.js.map',
        'packages/order/deep/appservice.app.js.map',
      ]),
    ).toEqual({
      '__APP__/app-service.js.map': '',
      '__FULL__/appservice.app.js.map': '',
      '__FULL__/chunk_0.appservice.js.map': '',
      'packageA/app-service.js.map': 'packageA',
      'packages/order/chunk_12.appservice.js.map': 'packages/order',
      'packages/order/deep/appservice.app.js.map': 'packages/order/deep',
    })
  })

  it('derives sub-packages from the layout if each script has its own map', async () => {
    expect(
      await tags([
        '__FULL__/pages/index/index.js.map',
        'packageA/pages/cart/cart.js.map',
        'packages/order/pages/list/list.js.map',
        'b/vendors.js.map',
        'b/list/list.js.map',
      ]),
    ).toEqual({
      '__FULL__/pages/index/index.js.map': '',
      'packageA/pages/cart/cart.js.map': 'packageA',
      'packages/order/pages/list/list.js.map': 'packages/order',
      'b/vendors.js.map': 'b',
      'b/list/list.js.map': 'b',
    })
  })

  it('takes sub-packages from the comment in a packed archive, with the longest root first', async () => {
    const names = ['a/x/y.js.map', 'a/deep/x/y.js.map', '__FULL__/a/z.js.map']
    expect(await tags(names, subPackagesComment(['a', 'a/deep']))).toEqual({
      'a/x/y.js.map': 'a',
      'a/deep/x/y.js.map': 'a/deep',
      '__FULL__/a/z.js.map': '',
    })
    expect(Object.values(await tags(names, 'symup sub-packages: {'))).toEqual(['a/x', 'a/deep/x', ''])
  })
})

describe('names', () => {
  const names = async (...entries: (CraftedEntry | string)[]) => {
    const result = await check(entries.map((it) => (typeof it === 'string' ? { name: it, content: MAP } : it)))
    return typeof result === 'string' ? result : [...result.maps.map(({ entry }) => entry), ...result.ignored]
  }

  it.each([
    [
      'a directory',
      ['sourcemap/', 'sourcemap/__FULL__/a.js.map', 'sourcemap/packageA/b.js.map', 'sourcemap/readme.txt'],
    ],
    ['two directories', ['x/y/__FULL__/a.js.map', 'x/y/packageA/b.js.map', 'x/y/readme.txt']],
    ['Windows names', ['.\\my maps\\__FULL__\\a.js.map', '.\\my maps\\packageA\\b.js.map', 'readme.txt']],
  ])('start at the main package if the archive has %s above it', async (_, entries) => {
    expect(await names(...entries)).toEqual(['__FULL__/a.js.map', 'packageA/b.js.map', 'readme.txt'])
  })

  it('stay if another map is outside the directory of the main package', async () => {
    const entries = ['x/__FULL__/a.js.map', 'packageA/__FULL__.js.map']
    expect(await names(...entries)).toEqual(entries)
  })

  it("leave out Finder's files at every depth", async () => {
    const added = [
      '__MACOSX/x/._a.js.map',
      '__MacOSX/b.js.map',
      './._x.js.map',
      'x/__FULL__/d/._e.js.map',
      'x/.DS_Store',
    ]
    expect(await names('x/__FULL__/a.js.map', ...added)).toEqual(['__FULL__/a.js.map'])
  })

  it('are UTF-8 even without the flag, as Finder writes them, and may be in any other encoding', async () => {
    // The crafted archive has no flag.
    expect(await names('__FULL__/首页.js.map', '分包/my page.js.map')).toEqual([
      '__FULL__/首页.js.map',
      '分包/my page.js.map',
    ])
    const gbk = { name: '', rawName: Buffer.from('\xca\xd7\xd2\xb3\xca\xd7\xd2\xb3.js.map', 'latin1'), content: '' }
    expect(await names(gbk, '__FULL__/a.js.map')).toHaveLength(2)
  })
})

describe('the archive check', () => {
  it.each<[string, CraftedEntry[], string]>([
    [
      'an absolute name',
      [MAIN, { name: '//etc/a.js.map', content: MAP }],
      'The name of the archive entry //etc/a.js.map is not',
    ],
    ['no name but a slash', [MAIN, { name: '/', content: MAP }], 'The name of the archive entry / is not'],
    [
      'a parent behind a slash',
      [MAIN, { name: '/../b.js.map', content: MAP }],
      'The name of the archive entry /../b.js.map is not',
    ],
    [
      'a drive behind a slash',
      [MAIN, { name: '/C:/b.js.map', content: MAP }],
      'The name of the archive entry /C:/b.js.map is not',
    ],
    [
      'a parent directory after a slash',
      [MAIN, { name: '/../b.js.map', content: MAP }],
      'The name of the archive entry /../b.js.map is not',
    ],
    [
      'a drive letter after a slash',
      [MAIN, { name: '/C:/b.js.map', content: MAP }],
      'The name of the archive entry /C:/b.js.map is not',
    ],
    [
      'the same name with and without a slash',
      [MAIN, { name: `/${MAIN.name}`, content: MAP }],
      'The archive contains two entries with the name __FULL__/app-service.js.map.',
    ],
    [
      'a parent directory in a name',
      [MAIN, { name: 'a/../../b.js.map', content: MAP }],
      'The name of the archive entry a/../../b.js.map is not',
    ],
    [
      'a parent directory after a backslash',
      [{ name: 'a\\..\\..\\b.js.map', content: MAP }],
      'The name of the archive entry a/../../b.js.map is not',
    ],
    ['a drive', [{ name: 'C:/b.js.map', content: MAP }], 'The name of the archive entry C:/b.js.map is not'],
    [
      'a NUL in a name',
      [{ name: 'a\0.js.map', content: MAP }],
      'The name of the archive entry "a\\u0000.js.map" is not',
    ],
    [
      'a very long name',
      [{ name: `${'a'.repeat(60_000)}.js.map`, content: MAP }],
      'The archive contains an entry whose name is too long (60007 characters)',
    ],
    ['a name twice', [MAIN, MAIN], 'The archive contains two entries with the name __FULL__/app-service.js.map.'],
    ['encryption', [{ ...MAIN, flags: 1 }], 'The archive entry __FULL__/app-service.js.map is encrypted.'],
    ['other compression', [{ ...MAIN, method: 93 }], 'uses the unsupported compression method 93 instead of deflate'],
    ['shared bytes', [MAIN, { name: 'b.js.map', content: MAP, sameDataAs: 0 }], 'overlaps another entry'],
    [
      'a local header that shifts the data',
      [
        { ...MAIN, localExtraBytes: 9 },
        { name: 'b', content: 'x' },
      ],
      'overlaps another entry',
    ],
    ['an entry past the end', [{ ...MAIN, declaredCompressedBytes: 9e8 }], 'extends past the end of the file'],
    [
      'a size that is too small',
      [{ ...MAIN, declaredBytes: 5 }],
      `decompresses to ${MAP.length} bytes, but the archive declares 5 bytes.`,
    ],
    ['a size that is too large', [{ ...MAIN, declaredBytes: 4e9 }], 'but the archive declares 4000000000 bytes.'],
    ['a wrong checksum', [{ ...MAIN, crc: 7 }], 'does not match its checksum'],
    [
      'data that cannot be decompressed',
      [{ name: 'a.js.map', deflated: { ...deflated(Buffer.from(MAP)), data: Buffer.alloc(40, 255) } }],
      'its data is damaged',
    ],
    [
      'data that ends too early',
      [{ name: 'a.js.map', deflated: { data: deflated(Buffer.from(MAP)).data.subarray(0, 20), bytes: 67, crc: 1 } }],
      'its data is damaged',
    ],
    [
      'a zip64 field with a false value',
      [{ ...MAIN, zip64: true, declaredBytes: 2 ** 40 }],
      'but the archive declares 1099511627776 bytes.',
    ],
    [
      'a zip64 offset past the end',
      [{ ...MAIN, zip64: true, declaredCompressedBytes: 2 ** 50 }],
      'extends past the end',
    ],
  ])('refuses an archive with %s', async (_, entries, message) => {
    const output = await check(entries)
    expect(output).toMatch(/^400 archive-invalid: /)
    expect(output).toContain(message)
  })

  it('refuses a file that is not a zip, and a truncated zip', async () => {
    const message = '400 archive-invalid: The file is not a zip archive, or it is truncated.'
    for (const bytes of ['', 'PK', '<html>', MAP, gzipSync(MAP), Buffer.alloc(1000)]) {
      writeFileSync(archive, bytes)
      expect(await verdict()).toBe(message)
    }
    await check([MAIN, { name: 'b.js.map', content: MAP }])
    const whole = readFileSync(archive).length
    for (let bytes = whole - 1; bytes > 0; bytes -= 7) {
      truncateSync(archive, bytes)
      expect(await verdict()).toBe(message)
    }
  })

  it('refuses an archive without source maps', async () => {
    const message = '400 archive-without-maps: No .js.map entries found in the sourcemap archive'
    expect(await check([])).toBe(message)
    expect(await check([{ name: 'a.js' }, { name: 'b.map' }, { name: 'c.js.map/' }, { name: 'd.map.map' }])).toBe(
      message,
    )
  })

  it('refuses an archive with truncated maps or maps that are not JSON', async () => {
    const bad = [
      { name: '__FULL__/app-service.js.map', content: '<html>' },
      { name: 'p/a.js.map', content: MAP.slice(0, -9) },
    ]
    expect(await check(bad)).toBe(
      '400 archive-without-maps: No .js.map entry contains a complete JSON document. The first entry is __FULL__/app-service.js.map.',
    )
    expect(await check([...bad, { name: 'p/b.js.map', content: MAP }])).toMatchObject({ ok: true })
  })

  it('refuses an archive with damaged bytes anywhere, without an exception', async () => {
    await check([MAIN, { name: 'packageA/b.js.map', content: MAP }])
    const good = readFileSync(archive)
    for (let at = 0; at < good.length; at += 3) {
      const bad = Buffer.from(good)
      bad[at] = (bad[at] as number) ^ 0x55
      writeFileSync(archive, bad)
      await verdict()
    }
  })
})

it('refuses zip64 archives only if their sizes are wrong', async () => {
  expect(await check([{ ...MAIN, zip64: true }])).toMatchObject({ ok: true, totalBytes: MAP.length })
})

describe('the upload plan for a mini program', () => {
  const collect = () =>
    collectMiniProgram({ archive, service: 'shop', version: '1', appid: 'wx1', toolVersion: '0' }).then((plan) => ({
      ...plan,
      problems: plan.problems.map(({ code, file }) => `${code} ${file ?? ''}`.trim()),
    }))

  it('plans to upload the unchanged archive', async () => {
    await check([MAIN])
    expect(await collect()).toEqual({
      uploads: [
        {
          event: { type: 'miniprogram_sourcemap', cli_version: '0', service: 'shop', version: '1', appid: 'wx1' },
          parts: [
            {
              name: 'sourcemap_archive',
              filename: 'sourcemap.zip',
              path: archive,
              bytes: readFileSync(archive).length,
              contentType: 'application/zip',
            },
          ],
          encoding: 'identity',
        },
      ],
      problems: [],
    })
  })

  it('names the scripts that will not resolve', async () => {
    await check([
      MAIN,
      { name: '__APP__/app-service.js.map', content: MAP },
      { name: 'a.js.map', content: MAP.replace('AAAA,CAAC', ';;') },
      { name: 'b.js.map', content: MAP.replace(',CAAC', '') },
      { name: 'c.js.map', content: '<html>' },
      { name: '__FULL__/app-service.map.map', content: MAP },
      { name: 'readme.txt', content: '' },
    ])
    expect((await collect()).problems).toEqual([
      'map-blank a.js.map',
      'map-one-segment b.js.map',
      'map-invalid c.js.map',
      'map-old-name __FULL__/app-service.map.map',
      'main-package-twice',
    ])
  })

  it('plans no upload if the archive would be refused or cannot be read', async () => {
    await check([{ name: 'a.txt' }])
    expect(await collect()).toEqual({ uploads: [], problems: [`archive-without-maps ${archive}`] })
    rmSync(archive)
    expect(await collect()).toEqual({ uploads: [], problems: [`file-unreadable ${archive}`] })
  })
})
