import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BinarySource } from '@symup/core/resolving'
import { afterAll, describe, expect, it } from 'vitest'
import { writeZip } from '../../../../test/support/crafted-zip.ts'
import type { ArtifactSource } from '../artifacts.ts'
import type { StoredContent } from '../content.ts'
import { CallableSource } from './source-side.ts'
import { type ReadDistant, remoteSource } from './worker-side.ts'

const directory = mkdtempSync(join(tmpdir(), 'symup-sides-'))
afterAll(() => rmSync(directory, { recursive: true }))
const fileOf = (name: string, content: string | Buffer) => {
  const path = join(directory, name)
  writeFileSync(path, content)
  return path
}
const release = { service: 'shop', version: '1' }

/** A source in another thread. Everything that passes between the threads is copied. */
function apart(functions: object, readDistant: ReadDistant = () => new Uint8Array()) {
  const own = new CallableSource(functions as unknown as ArtifactSource)
  const targets: (string | number)[] = []
  const remote = () =>
    remoteSource(
      { callable: own.names },
      async (target, args) => {
        targets.push(target)
        return structuredClone(await own.call(target, structuredClone(args)))
      },
      readDistant,
    )
  return { own, targets, remote }
}
/** The only script from a source. */
const scriptOf = async (script: object, readDistant?: ReadDistant) =>
  (
    await apart({ findScripts: async () => [script] }, readDistant)
      .remote()
      .findScripts(release, ['/a.js'])
  )[0]

describe('a source in another thread', () => {
  it('exposes only the functions that the source has', () => {
    const { own, remote } = apart({
      versionsOf: async () => [],
      name: 'x',
      miniPrograms: { releases: async () => [], size: 1 },
    })
    expect(own.names).toEqual(['versionsOf', 'miniPrograms.releases'])
    expect(Object.keys(remote())).toEqual(['versionsOf', 'miniPrograms'])
    expect(Object.keys(remote().miniPrograms ?? {})).toEqual(['releases'])
    expect(Object.keys(apart({ versionsOf: async () => [] }).remote())).toEqual(['versionsOf'])
  })

  it('passes each query to a source in another thread once', async () => {
    const versionsOf = async (service: string) => [service, 'x']
    const releases = async () => [release]
    const { targets, remote } = apart({ versionsOf, miniPrograms: { releases } })
    const source = remote()
    expect(await Promise.all(['a', 'a', 'b'].map((it) => source.versionsOf(it)))).toEqual([
      ['a', 'x'],
      ['a', 'x'],
      ['b', 'x'],
    ])
    expect(await source.miniPrograms?.releases(5)).toEqual([release])
    expect(targets).toEqual(['versionsOf', 'versionsOf', 'miniPrograms.releases'])
  })

  it('forwards errors, and returns nothing for missing files', async () => {
    const outage = new Error('connection lost')
    const { own } = apart({ services: () => Promise.reject(outage) })
    await expect(own.call('services', [])).rejects.toBe(outage)
    expect([await own.call('versionsOf', []), await own.call(3, [])]).toEqual([undefined, undefined])
  })
})

describe('the files of a script', () => {
  it('sends files that are not on disk to the thread', async () => {
    const sent = await scriptOf({ readMap: async () => Buffer.from('sent') })
    expect(sent?.readMap && String(Buffer.from(await sent.readMap()))).toBe('sent')
  })

  it('reads remote files in parts', async () => {
    const asked: unknown[] = []
    const readDistant: ReadDistant = (...range) => {
      asked.push(range)
      return Buffer.from('part')
    }
    const distant: { now?: object } = { now: { content: 'sha', size: 9 } }
    const script = await scriptOf({ locate: async () => undefined, distantMap: async () => distant.now }, readDistant)
    const map = await script?.distantMap?.()
    expect(map).toMatchObject({ content: 'sha', size: 9 })
    expect(String(map?.readNow?.(3, 4))).toBe('part')
    expect(asked).toEqual([['sha', 3, 4]])
    delete distant.now
    expect(await script?.distantMap?.()).toBeUndefined()
    expect(await scriptOf({ locate: async () => undefined })).not.toHaveProperty('distantMap')
  })
})

it('reads a mini program archive in the thread', async () => {
  const archive = join(directory, 'maps.zip')
  writeZip(archive, { entries: [{ name: 'a.js.map', content: 'the map' }] })
  const map = { entry: 'a.js.map', contentKey: 'k', locateArchive: async () => archive }
  const { remote } = apart({ miniPrograms: { findMaps: async () => [map] } })
  const [found] = (await remote().miniPrograms?.findMaps(release, ['a.js.map'])) ?? []
  expect(found && String(await found.readMap())).toBe('the map')
})

describe('symbol files', () => {
  it('opens native symbol files in the thread', async () => {
    const file = fileOf('lib.so', 'seven..')
    const { targets, remote } = apart({ findNative: async () => ({ contentKey: 'k', file, open: () => 5 }) })
    const found = await remote().findNative?.('id')
    const opened = found?.open() as BinarySource
    expect([found?.file, opened.size, String(opened.read(0, 5))]).toEqual([file, 7, 'seven'])
    opened.close()
    expect(targets).toEqual(['findNative'])
  })

  it('sends symbol files as paths or bytes, part by part', async () => {
    const stored: Record<string, StoredContent> = { disk: '/map.txt', memory: Buffer.from('in memory') }
    const { remote } = apart({
      findSymbolFiles: async () => [{ contentKey: 'k', open: async (part: string) => stored[part] }],
    })
    const [found] = (await remote().findSymbolFiles?.({ kind: 'jvm_mapping_file', ...release }, 1)) ?? []
    expect(await found?.open('disk')).toBe('/map.txt')
    expect(String(Buffer.from((await found?.open('memory')) ?? []))).toBe('in memory')
    expect(await found?.open('other')).toBeUndefined()
  })
})
