import { execFileSync, spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { deflated, writeZip } from '../../../../../test/support/crafted-zip.ts'
import { needs } from '../../../../../test/support/tool.ts'
import { MAIN, MAP, useArchive } from './mini-program-archive.fixture.ts'

const MIB = 1024 * 1024
const { directory, archive, check, verdict } = useArchive()

describe('the limits for an archive', () => {
  const filler = (bytes: number) => deflated(Buffer.from(MAP.padEnd(bytes)))

  it('allows a map of exactly 50 MB, but not one byte more', async () => {
    const [fits, tooLarge] = [filler(50 * MIB), filler(50 * MIB + 1)]
    expect(await check([{ name: '__FULL__/a.js.map', deflated: fits }])).toMatchObject({ ok: true })
    const message = '413 archive-too-large: The archive entry __FULL__/a.js.map is larger than 50 MB when decompressed.'
    expect(await check([MAIN, { name: '__FULL__/a.js.map', deflated: tooLarge }])).toBe(message)
    expect(await check([{ name: '__FULL__/a.js.map', deflated: tooLarge, declaredBytes: 10 }])).toBe(message)
    expect(await check([{ name: '__FULL__/a.js.map', deflated: tooLarge, declaredBytes: 50 * MIB }])).toBe(message)
    // Among the entries, only source maps have their own size limit.
    expect(await check([MAIN, { name: 'a.js', deflated: tooLarge }])).toMatchObject({ ok: true, ignored: ['a.js'] })
  })

  it('allows an archive of exactly 500 MB, but not one byte more, regardless of the entry names', async () => {
    const half = filler(50 * MIB)
    const nine = Array.from({ length: 9 }, (_, index) => ({ name: `__FULL__/${index}.js.map`, deflated: half }))
    expect(await check([...nine, { name: 'p/other.txt', deflated: half }])).toMatchObject({
      ok: true,
      totalBytes: 500 * MIB,
    })
    const message = '413 archive-too-large: The entry p/last.txt makes the decompressed archive larger than 500 MB.'
    const entries = [...nine, { name: 'p/other.js.map', deflated: half }, { name: 'p/last.txt', content: ' ' }]
    expect(await check(entries)).toBe(message)
  })

  it('allows 5000 entries including directories and other files, but not 5001', async () => {
    const entries = [MAIN, { name: 'p/' }]
    for (let nth = entries.length; nth < 5000; nth++) entries.push({ name: `p/${nth}.txt`, content: '' })
    expect(await check(entries)).toMatchObject({ ok: true, maps: [{ entry: MAIN.name }] })
    const message = '413 archive-too-large: The archive contains 5001 entries, but at most 5000 are allowed.'
    entries.push({ name: 'q/' })
    expect(await check(entries)).toBe(message)
    expect(await check(entries, { entryCount: 3 })).toMatch(/^400 archive-invalid/)
  })
})

const zip = needs('zip', spawnSync('zip', ['-v']).status === 0, 'Debian: zip')
it.skipIf(!zip.isThere)(`reads zip64 archives written by zip${zip.reason}`, async () => {
  writeFileSync(join(directory, 'a.js.map'), MAP)
  rmSync(archive, { force: true })
  execFileSync('zip', ['-q', '-fz', archive, 'a.js.map'], { cwd: directory })
  expect(await verdict()).toMatchObject({ ok: true, maps: [{ entry: 'a.js.map', subPackage: '', verdict: 'usable' }] })
})

it('uses little memory for a zip bomb', async () => {
  // 1 GB of zeros compressed to 1 MB, in one entry with a declared size of 10 bytes.
  const data = deflated(Buffer.alloc(1000 * MIB)).data
  writeZip(archive, { entries: [MAIN, { name: 'a.js.map', deflated: { data, bytes: 10, crc: crc32('') } }] })
  const script = `
    const { checkMiniProgramArchive } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'mini-program-archive.ts')).href)})
    const before = process.resourceUsage().maxRSS
    const { status } = await checkMiniProgramArchive(${JSON.stringify(archive)})
    console.log(status, Math.round((process.resourceUsage().maxRSS - before) / 1024))`
  const args = ['--conditions=symup-source', '--import', 'tsx', '--input-type=module', '--eval', script]
  const [status, grownMb] = execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' }).split(
    ' ',
  )
  expect(status).toBe('413')
  expect(Number(grownMb)).toBeLessThan(50)
})
