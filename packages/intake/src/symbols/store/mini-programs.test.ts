import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createQueryId, type KyselyPlugin } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeZip } from '../../../../../test/support/crafted-zip.ts'
import { openStore } from '../../open-store.ts'
import { MINI_PROGRAM, saveMiniProgram } from './mini-programs.ts'
import type { NewArtifact, Store } from './store.ts'

let directory: string
let store: Store
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'symup-mini-store-'))
  store = await openStore(directory)
})
afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

const ARTIFACT = {
  ...{ account_id: 1, identity: 'shop', kind: MINI_PROGRAM, platform: 'miniprogram', service: 'shop', version: '1' },
  ...{ path: '', file_name: '', debug_id: null, build_id: null, uuids: null, git_repository_url: null },
  ...{ git_commit_sha: null, event: '{}', origin: null, origin_version: null, request_id: 'r' },
} satisfies NewArtifact

/** Values of the largest statement that recording so many maps takes. */
async function largestStatement(maps: number): Promise<number> {
  const path = join(directory, 'maps.zip')
  const content = '{"version":3,"sources":["a.js"],"names":[],"mappings":"AAAA"}'
  const entries = Array.from({ length: maps }, (_, nth) => ({ name: `sub${nth}/app-service.js.map`, content }))
  writeZip(path, { entries })
  const blob = await store.blobs.stage(Readable.from([readFileSync(path)]))
  let most = 0
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      most = Math.max(most, store.db.getExecutor().compileQuery(node, createQueryId()).parameters.length)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const counted: Store = {
    ...store,
    record: (staged, write) => store.record(staged, (transaction) => write(transaction.withPlugin(counting))),
  }
  await saveMiniProgram(counted, ARTIFACT, [{ name: 'sourcemap_archive', filename: 'sourcemap.zip', blob }])
  return most
}

it('an archive of any number of maps is recorded in short statements, and so is the next one in its place', async () => {
  expect(await largestStatement(50)).toBeGreaterThan(100)
  expect(await largestStatement(300)).toBeLessThan(500)
  const before = await store.uploads()
  expect(before).toHaveLength(300)
  expect(await largestStatement(250)).toBeLessThan(500)
  const after = await store.uploads()
  expect(after).toHaveLength(250)
  const ids = new Set(before.map(({ id }) => id))
  expect(after.every(({ id, parts }) => ids.has(id) && parts.length === 1)).toBe(true)
})
