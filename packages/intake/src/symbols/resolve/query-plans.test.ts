import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openStore } from '../../open-store.ts'
import { planOf, readsAll } from '../../test-support/query-plans.fixture.ts'
import { miniProgramSource } from '../store/mini-programs.ts'
import type { Store } from '../store/store.ts'
import { nativeSource } from './native-source.ts'
import { scriptSource } from './script-source.ts'
import { symbolFileSource } from './symbol-file-source.ts'

const directory = mkdtempSync(join(tmpdir(), 'symup-query-plans-'))
let store: Store
beforeAll(async () => {
  store = await openStore(directory)
})
afterAll(async () => {
  await store.database.close()
  rmSync(directory, { recursive: true })
})

/** The SQL queries that `ask` sends. */
async function queriesOf(ask: () => Promise<unknown>): Promise<CompiledQuery[]> {
  const spies = [store.db, store.database.scans].map((db) => vi.spyOn(db.getExecutor(), 'executeQuery'))
  await ask()
  const queries = spies.flatMap(({ mock }) => mock.calls.map(([query]) => query))
  for (const spy of spies) spy.mockRestore()
  return queries
}

const RELEASE = { service: 'shop', version: '1.0.0' }

it.each<[string, (store: Store) => Promise<unknown>]>([
  ['scripts in a release', (store) => scriptSource(store, 1).findScripts(RELEASE, ['/a.js'])],
  ['scripts by debug id', (store) => scriptSource(store, 1).findScriptsByDebugId(['x'], RELEASE)],
  ['scripts by name', (store) => scriptSource(store, 1).findScriptsNamed('a.js', 10)],
  ['scripts by name in a service', (store) => scriptSource(store, 1).findScriptsNamed('a.js', 9, { service: 's' })],
  ['scripts by name in a release', (store) => scriptSource(store, 1).findScriptsNamed('a.js', 10, RELEASE)],
  ['versions of a service', (store) => scriptSource(store, 1).versionsOf('shop')],
  ['services', (store) => scriptSource(store, 1).services()],
  ['a mapping', (store) => symbolFileSource(store, 1).findSymbolFiles({ kind: 'jvm_mapping_file', ...RELEASE }, 5)],
  ['releases with a mapping', (store) => symbolFileSource(store, 1).releasesWith('jvm_mapping_file', 5)],
  [
    'releases with a mapping in a service',
    (store) => symbolFileSource(store, 1).releasesWith('jvm_mapping_file', 5, { service: 's' }),
  ],
  ['native symbols by build id', (store) => nativeSource(store, 1).findNative('cafe')],
  ['native symbols by UUID', (store) => nativeSource(store, 1).findNative('00000000-0000-0000-0000-000000000000')],
  ['native symbols by name', (store) => nativeSource(store, 1).findNativeNamed('libshop.so', 5)],
  ['native symbols by name in a release', (store) => nativeSource(store, 1).findNativeNamed('libshop.so', 5, RELEASE)],
  ['Flutter symbols', (store) => nativeSource(store, 1).findFlutter(RELEASE, 5)],
  ['Flutter symbols by build id', (store) => nativeSource(store, 1).findFlutter({ ...RELEASE, buildId: 'cafe' }, 5)],
  ['maps for a mini program', (store) => miniProgramSource(store, 1).findMaps(RELEASE, ['app.js.map'])],
  ['entries for a mini program', (store) => miniProgramSource(store, 1).entriesOf(RELEASE, 5)],
  ['releases of a mini program', (store) => miniProgramSource(store, 1).releases(5)],
])('reads only the requested artifacts from SQLite: %s', async (_name, ask) => {
  const queries = await queriesOf(() => ask(store))
  expect(queries.length).toBeGreaterThan(0)
  for (const query of queries) expect((await planOf(store, query)).filter(readsAll), query.sql).toEqual([])
})
