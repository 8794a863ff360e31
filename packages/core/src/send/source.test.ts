import { createHash } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { FilePart, SymbolUpload } from '../model/plan.ts'
import { areKnown, partHashes, rememberHashes } from './part-hashes.ts'
import { type BodySource, openSource, UnreadableFile } from './source.ts'

const directory = mkdtempSync(join(tmpdir(), 'symup-source-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function onDisk(name: string, text: string): FilePart {
  const path = join(directory, name)
  writeFileSync(path, text)
  return { name, filename: name, path, bytes: text.length }
}

const inMemory = (name: string, text: string): FilePart => ({
  name,
  filename: name,
  path: join(directory, 'nowhere', name),
  bytes: text.length,
  content: Buffer.from(text),
})

const uploadOf = (...parts: FilePart[]) => ({ event: { type: 'js_sourcemap' }, parts }) as unknown as SymbolUpload

/** As `multipart` frames it, with less around the files. */
const framed = (parts: FilePart[]) => ({
  contentType: 'multipart/form-data',
  pieces: [Buffer.from('<'), ...parts.flatMap((part) => [part, Buffer.from('|')]), Buffer.from('>')],
})

function readAll(source: BodySource, bytes: number): string {
  const target = Buffer.alloc(bytes)
  const pieces: string[] = []
  for (let count = source.read(target); count > 0; count = source.read(target)) {
    // All of the target but at the end.
    if (count < bytes) expect(pieces.join('').length + count).toBe(source.length)
    pieces.push(target.toString('latin1', 0, count))
  }
  return pieces.join('')
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const [MAP, SCRIPT] = ['{"version":3}', 'start()\n']

describe('the bytes of a request', () => {
  it('are the form and the files, from the disk or from memory, in pieces of any size', () => {
    const parts = [onDisk('map', MAP), onDisk('empty', ''), inMemory('script', SCRIPT), inMemory('none', '')]
    const body = `<${MAP}||${SCRIPT}||>`
    for (const bytes of [1, 2, 7, body.length - 1, body.length, body.length + 1, 1000]) {
      const source = openSource(uploadOf(...parts), framed(parts), false)
      expect([source.contentType, source.length]).toEqual(['multipart/form-data', body.length])
      expect(readAll(source, bytes)).toBe(body)
      expect(source.read(Buffer.alloc(bytes))).toBe(0)
      source.close()
    }
  })

  it('are none where a file is missing, or became shorter', () => {
    const [whole, cut] = [onDisk('whole', MAP), onDisk('cut', SCRIPT)]
    const missing = { ...cut, path: join(directory, 'missing') }
    expect(() => openSource(uploadOf(whole, missing), framed([whole, missing]), false)).toThrow(
      expect.objectContaining({ path: missing.path, code: 'ENOENT', message: `${missing.path}: ENOENT` }),
    )
    const source = openSource(uploadOf(whole, cut), framed([whole, cut]), false)
    truncateSync(cut.path, SCRIPT.length - 1)
    expect(() => readAll(source, 1000)).toThrow(UnreadableFile)
    expect(() => readAll(source, 1000)).toThrow(`${cut.path}: TRUNCATED`)
    source.close()
  })

  it('leave no file open once they are closed, also where one of the files is missing', () => {
    const part = onDisk('open', MAP)
    const missing = { ...part, path: join(directory, 'missing') }
    // The system gives the lowest number that is free.
    const free = () => {
      const file = openSync(part.path, 'r')
      closeSync(file)
      return file
    }
    const before = free()
    for (let count = 0; count < 40; count++) {
      const source = openSource(uploadOf(part, part), framed([part, part]), false)
      source.close()
      // A second time there is nothing to close, whatever file has the number now.
      source.close()
      expect(() => openSource(uploadOf(part, missing), framed([part, missing]), false)).toThrow('ENOENT')
    }
    expect(free() - before).toBeLessThan(40)
  })
})

describe('hashes of the files', () => {
  const parts = () => [onDisk('map', MAP), inMemory('script', SCRIPT)]

  it('are known once all has been read, and not before', async () => {
    const upload = uploadOf(...parts())
    const source = openSource(upload, framed(upload.parts), true)
    source.read(Buffer.alloc(source.length - 1))
    expect(areKnown(upload)).toBe(false)
    source.read(Buffer.alloc(1))
    expect(areKnown(upload)).toBe(true)
    expect(source.read(Buffer.alloc(1))).toBe(0)
    source.close()
    expect(await partHashes(upload)).toEqual([sha256(MAP), sha256(SCRIPT)])
  })

  it('are those of the parts in their order, whatever order they are sent in', async () => {
    const upload = uploadOf(...parts())
    const source = openSource(upload, framed([...upload.parts].reverse()), true)
    readAll(source, 5)
    source.close()
    expect(await partHashes(upload)).toEqual([sha256(MAP), sha256(SCRIPT)])
  })

  it('are not made where nobody asks for them, or where a part is not sent', () => {
    for (const [sent, hashes] of [
      [2, false],
      [1, true],
    ] as const) {
      const upload = uploadOf(...parts())
      const source = openSource(upload, framed(upload.parts.slice(0, sent)), hashes)
      readAll(source, 1000)
      source.close()
      expect(areKnown(upload)).toBe(false)
    }
  })

  it('stay what they are where they are known', async () => {
    const upload = uploadOf(...parts())
    rememberHashes(upload, ['a', 'b'])
    const source = openSource(upload, framed(upload.parts), true)
    readAll(source, 1000)
    source.close()
    expect(await partHashes(upload)).toEqual(['a', 'b'])
  })
})
