import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { collectMiniProgram } from './mini-program.ts'
import { UserVersionScan } from './user-version.ts'

/** Feeds a text in pieces of the given size. @returns the version found. */
function versionIn(text: string, pieceBytes = text.length): string | undefined {
  const scan = new UserVersionScan()
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += pieceBytes) scan.push(bytes.subarray(at, at + pieceBytes))
  return scan.version()
}

const map = (rest: object) => JSON.stringify({ version: 3, sources: ['a.js'], ...rest, mappings: 'AAAA' })

it.each<[string, string, string | undefined]>([
  ['the version', map({ wx: { version: 1, userVersion: '1.0.2' } }), '1.0.2'],
  [
    'the version after notes with any content',
    map({ wx: { userNotes: '"} \\" "userVersion": "9"', userVersion: '2' } }),
    '2',
  ],
  ['the version with spaces around it', '{ "wx" : { "userVersion" : "3.1" } }', '3.1'],
  [
    'the version after names and sources that contain its key',
    map({ names: ['wx', 'a'], sources: ['wx'], wx: { userVersion: '2' } }),
    '2',
  ],
  ['escaped', map({ wx: { userVersion: '1"0' } }), '1"0'],
  ['no version in a map without one', map({}), undefined],
  [
    'no version in source text that looks like one',
    map({ sourcesContent: ['{"wx": {"userVersion": "1"}}'] }),
    undefined,
  ],
  ['no version after the object', '{"wx": {"version": 1}, "userVersion": "4"}', undefined],
  ['no version if the value is not a string', map({ wx: { userVersion: 7 } }), undefined],
])('finds %s', (_, text, version) => {
  for (const pieceBytes of [text.length, 1, 7]) expect(versionIn(text, pieceBytes)).toBe(version)
})

it('does not read a checked archive again', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'symup-checked-'))
  const archive = join(directory, 'sourcemap.zip')
  writeFileSync(archive, 'no zip')
  const release = { archive, service: 'shop', version: '2', toolVersion: '0' }
  const plan = await collectMiniProgram({ ...release, checked: { userVersion: '1' } })
  expect(plan.uploads).toHaveLength(1)
  expect(plan.problems.map(({ code }) => code)).toEqual(['archive-version-differs'])
  expect((await collectMiniProgram({ ...release, version: '1', checked: { userVersion: '1' } })).problems).toEqual([])
  rmSync(directory, { recursive: true })
})
