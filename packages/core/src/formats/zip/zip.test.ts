import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { useDirectory } from '../../../../../test/support/directory.ts'
import { packFiles } from './pack.ts'
import { writeZip } from './write-zip.ts'
import { openZip } from './zip.ts'

const directory = useDirectory()

let made = 0
async function written(files: Record<string, Buffer>, comment?: string): Promise<Buffer> {
  const path = join(directory, `${++made}.zip`)
  const inputs = Object.entries(files).map(([name, bytes]) => ({
    name,
    content: async function* () {
      yield bytes
    },
  }))
  await writeZip(path, inputs, comment)
  return readFileSync(path)
}

async function opened<T>(
  bytes: Buffer,
  use: (zip: Awaited<ReturnType<typeof openZip>>) => T | Promise<T>,
  most = 10,
): Promise<T> {
  const path = join(directory, `${++made}.zip`)
  writeFileSync(path, bytes)
  const zip = await openZip(path, most)
  try {
    return await use(zip)
  } finally {
    await zip.close()
  }
}

async function contentOf({ entries, inflate }: Awaited<ReturnType<typeof openZip>>, nth: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  await inflate(entries[nth] as never, 2 ** 30, (chunk) => void chunks.push(Buffer.from(chunk)))
  return Buffer.concat(chunks)
}

const flawOf = (bytes: Buffer, use: Parameters<typeof opened>[1] = () => undefined, most?: number) =>
  opened(bytes, use, most).then(
    () => undefined,
    (error) => `${error.flaw}: ${error.message}`,
  )

const TEXT = Buffer.from('abc'.repeat(1000))
const plain = await written({ 'a.txt': TEXT, 'dir/b.txt': Buffer.from('b') }, 'a comment')
/** Offset of the headers in the zip's central directory. */
const directoryAt = (bytes: Buffer) => bytes.readUInt32LE(bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1') + 16)
const changed = (change: (bytes: Buffer, directory: number) => unknown, from = plain) => {
  const bytes = Buffer.from(from)
  change(bytes, directoryAt(bytes))
  return bytes
}
/** Builds an archive from uncompressed entries, without any checks. */
function stored(...files: [name: string | Buffer, content: string, offset?: number][]): Buffer {
  const locals: Buffer[] = []
  const headers: Buffer[] = []
  let at = 0
  for (const [given, text, offset] of files) {
    const [name, content] = [Buffer.from(given), Buffer.from(text)]
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(name.length, 26)
    const header = Buffer.alloc(46)
    header.writeUInt32LE(0x02014b50, 0)
    header.writeUInt16LE(0x800, 8)
    header.writeUInt32LE(content.length, 20)
    header.writeUInt32LE(content.length, 24)
    header.writeUInt16LE(name.length, 28)
    header.writeUInt32LE(offset ?? at, 42)
    locals.push(local, name, content)
    headers.push(header, name)
    at += 30 + name.length + content.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(Buffer.concat(headers).length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, ...headers, end])
}

describe('a zip archive', () => {
  it('writes an archive with the added files, and lists them in its directory', async () => {
    await opened(plain, async ({ entries, comment, inflate }) => {
      expect(comment).toBe('a comment')
      expect(
        entries.map(({ name, method, declaredBytes, isDirectory }) => [name, method, declaredBytes, isDirectory]),
      ).toEqual([
        ['a.txt', 'deflate', 3000, false],
        ['dir/b.txt', 'deflate', 1, false],
      ])
      const chunks: Buffer[] = []
      expect(await inflate(entries[0] as never, 3000, (chunk) => void chunks.push(chunk))).toBe(3000)
      expect(Buffer.concat(chunks).equals(TEXT)).toBe(true)
      expect(await inflate(entries[1] as never, 1)).toBe(1)
    })
  })

  it('writes the same archive regardless of the time, even for large files', async () => {
    const large = Buffer.concat([randomBytes(2_000_000), Buffer.alloc(6_000_000, 'x')])
    const [one, two] = [await written({ large, a: TEXT }), await written({ large, a: TEXT })]
    expect(one.equals(two)).toBe(true)
    expect(one.readUInt16LE(directoryAt(one) + 14)).toBe(0x21)
    await opened(one, async ({ entries, inflate }) => {
      let bytes = 0
      await inflate(entries[0] as never, large.length, (chunk) => {
        bytes += chunk.length
      })
      expect(bytes).toBe(large.length)
    })
    // Readers that look only at local headers find the entry, too.
    const { entries } = await opened(one, (zip) => ({ entries: zip.entries }))
    const [{ offset = 0, compressedBytes = 0 } = {}, second] = entries
    const start = (second?.offset ?? 0) + 30 + 1
    expect(inflateRawSync(one.subarray(start, start + (second?.compressedBytes ?? 0))).equals(TEXT)).toBe(true)
    expect(offset + compressedBytes).toBeLessThan(one.length)
  })

  it('lists files in alphabetical order', async () => {
    const files = ['b', 'a/c', 'a', 'B'].map((name) => ({ name, path: join(directory, `f${name.charCodeAt(0)}`) }))
    for (const { path } of files) writeFileSync(path, 'x')
    const target = join(directory, 'packed.zip')
    expect(await packFiles(files, target)).toBe(readFileSync(target).length)
    expect(await opened(readFileSync(target), ({ entries }) => entries.map(({ name }) => name))).toEqual([
      'B',
      'a',
      'a/c',
      'b',
    ])
  })

  it('reads stored entries, directories, and names as WeChat, bsdtar and Windows write them', async () => {
    const names = ['/a.js', 'dir/', './', './dir/b.js', 'dir\\c.js', 'dir/./d.js', '/./dir//e.js']
    const finder = ['__MACOSX/dir/._b.js', 'dir/._b.js', 'dir/.DS_Store']
    const bytes = stored(...[...names, ...finder].map((name): [string, string] => [name, '']))
    expect(
      await opened(bytes, ({ entries }) => entries.map(({ name, method, isDirectory }) => [name, method, isDirectory])),
    ).toEqual([
      ['a.js', 'stored', false],
      ['dir/', 'stored', true],
      ['dir/b.js', 'stored', false],
      ['dir/c.js', 'stored', false],
      ['dir/d.js', 'stored', false],
      ['dir/e.js', 'stored', false],
    ])
  })

  it.each<[string, Buffer, string]>([
    ['empty', Buffer.alloc(0), 'not-a-zip: The file is not a zip archive, or it is truncated.'],
    [
      'not a zip archive',
      Buffer.from('x'.repeat(100)),
      'not-a-zip: The file is not a zip archive, or it is truncated.',
    ],
    [
      'truncated',
      plain.subarray(0, plain.length - 15),
      'not-a-zip: The file is not a zip archive, or it is truncated.',
    ],
    [
      'larger than its entry count',
      changed((bytes) => {
        const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1')
        bytes.writeUInt16LE(1, end + 8)
        bytes.writeUInt16LE(1, end + 10)
      }),
      'not-a-zip: The archive contains more entries than its central directory lists.',
    ],
    [
      'encrypted',
      changed((bytes, at) => bytes.writeUInt16LE(0x801, at + 8)),
      'encrypted: The archive entry a.txt is encrypted.',
    ],
    [
      'compressed with another method',
      changed((bytes, at) => bytes.writeUInt16LE(12, at + 10)),
      'unknown-method: The archive entry a.txt uses the unsupported compression method 12 instead of deflate.',
    ],
    [
      'ambiguous about the spelling of a name',
      stored(['./a', ''], ['a', '']),
      'duplicate-name: The archive contains two entries with the name a.',
    ],
    [
      'with two of a name',
      stored(['a', ''], ['a', '']),
      'duplicate-name: The archive contains two entries with the name a.',
    ],
    [
      'whose entries share bytes',
      stored(['a', ''], ['b', '', 10]),
      'overlap: The archive entry a overlaps another entry.',
    ],
    [
      'listing the same name twice',
      stored(['a', ''], ['a', '']),
      'duplicate-name: The archive contains two entries with the name a.',
    ],
    [
      'made of entries that share bytes',
      stored(['a', ''], ['b', '', 10]),
      'overlap: The archive entry a overlaps another entry.',
    ],
    [
      'made of entries that share one byte',
      stored(['a', 'abcd'], ['b', '', 34]),
      'overlap: The archive entry a overlaps another entry.',
    ],
    [
      'written so that the last entry extends past the directory',
      changed((bytes, at) => bytes.writeUInt32LE(5_000, at + 46 + 5 + 20)),
      'overlap: The archive entry dir/b.txt extends past the end of the file.',
    ],
    [
      'fully encrypted',
      changed((bytes, at) => bytes.writeUInt16LE(0x841, at + 8)),
      'encrypted: The archive is encrypted.',
    ],
    [
      'listing an entry past its end',
      stored(['a', '', 1_000_000]),
      'overlap: The archive entry a extends past the end of the file.',
    ],
    [
      'listing a name long enough to fill memory',
      stored(['n'.repeat(4097), '']),
      `unsafe-name: The archive contains an entry whose name is too long (4097 characters): ${'n'.repeat(60)}…`,
    ],
  ])('refuses an archive that is %s', async (_, bytes, flaw) => expect(await flawOf(bytes)).toBe(flaw))

  it.each([
    ['../a', '../a'],
    ['a\\..\\..\\b', 'a/../../b'],
    ['.//a', './/a'],
    ['//a', '//a'],
    ['C:/a', 'C:/a'],
    ['/', '/'],
    ['a\0b', '"a\\u0000b"'],
    [`../${'n'.repeat(4093)}`, `../${'n'.repeat(4093)}`],
    [`../${'n'.repeat(4097)}`, `../${'n'.repeat(57)}…`],
  ])('refuses an archive with the unsafe name %j', async (name, shown) =>
    expect(await flawOf(stored([name, '']))).toBe(
      `unsafe-name: The name of the archive entry ${shown} is not a relative path inside the archive.`,
    ),
  )

  it('reads an archive whose directory lists the entries in a different order', async () => {
    const bytes = changed((all, at) => {
      const headers = all.subarray(at, all.lastIndexOf('PK\x05\x06', undefined, 'latin1'))
      const first = 46 + 'a.txt'.length
      Buffer.concat([headers.subarray(first), headers.subarray(0, first)]).copy(all, at)
    })
    const names = await opened(bytes, ({ entries }) => entries.map(({ name }) => name))
    expect(names).toEqual(['dir/b.txt', 'a.txt'])
  })

  it('reads an archive with as many entries as allowed', async () => {
    const bytes = stored(['a', ''], ['b', ''], ['n'.repeat(4096), ''])
    expect(await flawOf(bytes, undefined, 3)).toBeUndefined()
    expect(await flawOf(bytes, undefined, 2)).toBe(
      'too-many-entries: The archive contains 3 entries, but at most 2 are allowed.',
    )
  })
})

it('names the entry in the message about a refused archive', async () => {
  const path = join(directory, 'flawed.zip')
  writeFileSync(path, stored(['a', ''], ['a', '']))
  await expect(openZip(path, 10)).rejects.toMatchObject({ name: 'ZipError', flaw: 'duplicate-name', entry: 'a' })
  writeFileSync(path, 'x')
  await expect(openZip(path, 10)).rejects.toMatchObject({ name: 'ZipError', flaw: 'not-a-zip', entry: undefined })
})

describe('a written zip archive', () => {
  const hex = (bytes: Buffer, from: number, to: number) => bytes.subarray(from, to).toString('hex')
  const number = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    return bytes.toString('hex')
  }

  it('writes the exact header bytes that the zip format requires', async () => {
    const archive = await written({ 'a.txt': Buffer.from('hello') }, 'said')
    const data = deflateRawSync(Buffer.from('hello'), { level: 6 })
    const name = Buffer.from('a.txt').toString('hex')
    // Zip header fields: version 2.0, UTF-8 names, deflate, 1980-01-01, CRC 0x3610a686, sizes, name length.
    const fields = `1400000808000000210086a61036${number(data.length)}050000000500`
    const begin = 30 + 5 + data.length
    expect(hex(archive, 0, 35)).toBe(`504b0304${fields}0000${name}`)
    expect(hex(archive, 35, begin)).toBe(data.toString('hex'))
    // The entry was created on Unix as a regular file that everyone can read.
    expect(hex(archive, begin, begin + 51)).toBe(`504b01021403${fields}000000000000${'0000'}0000a48100000000${name}`)
    expect(hex(archive, begin + 51, archive.length)).toBe(
      `504b05060000000001000100${number(51)}${number(begin)}0400${Buffer.from('said').toString('hex')}`,
    )
  })

  it('writes files unchanged, whatever their size and order', async () => {
    const sizes = [10, 0, 1024 * 1024, 1024 * 1024 + 1, 3, 70_000]
    const files = sizes.map((size, nth) => ({ name: `f${nth}`, path: join(directory, `size${size}`), size }))
    for (const { path, size } of files) writeFileSync(path, Buffer.alloc(size, `${size}-`))
    await packFiles(files, join(directory, 'sizes.zip'))
    await opened(readFileSync(join(directory, 'sizes.zip')), async (zip) => {
      expect(zip.entries).toHaveLength(sizes.length)
      for (const [nth, size] of sizes.entries())
        expect((await contentOf(zip, nth)).equals(Buffer.alloc(size, `${size}-`))).toBe(true)
    })
  })

  it('writes every chunk of a text, few or many', async () => {
    const path = join(directory, 'pieces.zip')
    const pieces = [1, 2, 3, 4].map((nth) => Buffer.alloc(400_000, `${nth}`))
    const few = [Buffer.from('a'), Buffer.from(''), Buffer.from('b')]
    const content = (parts: Buffer[]) =>
      async function* () {
        yield* parts
      }
    await writeZip(path, [
      { name: 'many', content: content(pieces) },
      { name: 'few', content: content(few) },
    ])
    await opened(readFileSync(path), async (zip) => {
      expect((await contentOf(zip, 0)).equals(Buffer.concat(pieces))).toBe(true)
      expect((await contentOf(zip, 1)).toString()).toBe('ab')
    })
  })

  it('discards a written archive if reading a large file fails', async () => {
    const content = async function* () {
      yield Buffer.alloc(2_000_000)
      throw new Error('no more')
    }
    await expect(writeZip(join(directory, 'failed.zip'), [{ name: 'a', content }])).rejects.toThrow('no more')
  })
})

describe('an entry in a zip archive', () => {
  const inflated = (limit: number) => (zip: Awaited<ReturnType<typeof openZip>>) =>
    zip.inflate(zip.entries[0] as never, limit)
  it.each<[string, number, string | undefined]>([
    ['a.txt', 3000, undefined],
    ['a.txt', 2999, 'entry-too-large: The archive entry a.txt is larger than 2999 bytes when decompressed.'],
    ['a', 10, 'damaged: The content of the archive entry a does not match its checksum.'],
    ['a', 3, 'entry-too-large: The archive entry a is larger than 3 bytes when decompressed.'],
  ])('checks the size of %s against the limit %i', async (name, limit, flaw) =>
    expect(await flawOf(name === 'a' ? stored(['a', 'text']) : plain, inflated(limit))).toBe(flaw),
  )

  const DAMAGED = 'The archive entry a.txt cannot be decompressed because its data is damaged.'
  it.each<[string, Parameters<typeof changed>[0], string]>([
    [
      'a wrong size',
      (bytes, at) => bytes.writeUInt32LE(2999, at + 24),
      'The archive entry a.txt decompresses to 3000 bytes, but the archive declares 2999 bytes.',
    ],
    [
      'a size that is too large',
      (bytes, at) => bytes.writeUInt32LE(3001, at + 24),
      'The archive entry a.txt decompresses to 3000 bytes, but the archive declares 3001 bytes.',
    ],
    [
      'another checksum',
      (bytes, at) => bytes.writeUInt32LE(7, at + 16),
      'The content of the archive entry a.txt does not match its checksum.',
    ],
    [
      'no header of its own',
      (bytes) => bytes.writeUInt32LE(7, 0),
      'The local header of the archive entry a.txt is missing.',
    ],
    ['other bytes', (bytes) => bytes.fill(0xff, 36, 40), DAMAGED],
    [
      'a large size and damaged data',
      (bytes, at) => bytes.fill(0xff, 36, 40).writeUInt32LE(50_000_000, at + 24),
      DAMAGED,
    ],
  ])('reports an entry as damaged if it has %s', async (_, change, flaw) =>
    expect(await flawOf(changed(change), inflated(60_000_000))).toBe(`damaged: ${flaw}`),
  )

  it('reports an entry with a longer local header as overlapping the next entry', async () => {
    const bytes = changed((all) => all.writeUInt16LE(60_000, 28))
    expect(await flawOf(bytes, inflated(5000))).toBe('overlap: The archive entry a.txt overlaps another entry.')
  })

  it('stops reading an entry if its receiver fails', async () => {
    const failed = opened(plain, (zip) =>
      zip.inflate(zip.entries[0] as never, 5000, () => {
        throw new Error('the receiver')
      }),
    )
    await expect(failed).rejects.toThrow('the receiver')
  })
})

it('refuses more entries than the zip format can count', async () => {
  const many = Array.from({ length: 0x10000 }, (_, nth) => ({ name: `${nth}`, content: directory }))
  await expect(writeZip(join(directory, 'many.zip'), many)).rejects.toThrow(
    'A zip archive can contain at most 65535 entries.',
  )
  const most = many.slice(1).map(({ name }) => ({ name, content: join(directory, 'gone') }))
  await expect(writeZip(join(directory, 'most.zip'), most)).rejects.toThrow('ENOENT')
  await expect(
    writeZip(join(directory, 'gone.zip'), [{ name: 'a', content: join(directory, 'gone') }]),
  ).rejects.toThrow('ENOENT')
})
