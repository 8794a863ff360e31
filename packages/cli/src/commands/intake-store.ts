import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT } from '@symup/core'
import { withTemporaryDirectory } from '@symup/core/internal'
import { t } from '@symup/core/text'
import { loadIntake, type StoreFlags, whyUnusable } from './intake.ts'

export interface CollectFlags extends StoreFlags {
  maxAge?: number
  maxBytes?: number
  /** Grace period in milliseconds. */
  grace?: number
}

const GRACE_MS = 3_600_000

/** Runs `symup intake gc`, which deletes old versions if requested, and then deletes all unreferenced content. */
export function collectStore(flags: CollectFlags): Promise<number> {
  return withStore(flags, async (store, { retire, collect }) => {
    const { versions, artifacts } = await retire(store, { maxAgeMs: flags.maxAge, maxBytes: flags.maxBytes })
    const { blobs, bytes } = await collect(store, flags.grace ?? GRACE_MS)
    process.stdout.write(t`Versions deleted: ${versions} (${artifacts} artifacts)\n`)
    process.stdout.write(t`Files deleted: ${blobs} (${bytes} bytes)\n`)
  })
}

export async function exportTo(directory: string, flags: StoreFlags): Promise<number> {
  // After a failed export, the directory may contain an incomplete export, so it must not be used again.
  if (existsSync(join(directory, 'records.ndjson'))) {
    process.stderr.write(t`${directory} already contains an export. Pass another directory.
`)
    return EXIT.unusable
  }
  return withStore(flags, async (store, { exportStore }) => sayCounts(t`Exported`, await exportStore(store, directory)))
}

export async function importFrom(directory: string, flags: StoreFlags): Promise<number> {
  // Check that the export exists before opening the store. Opening creates an empty store if none exists.
  if (!existsSync(join(directory, 'manifest.json'))) {
    process.stderr.write(t`${directory} contains no export: manifest.json is missing.
`)
    return EXIT.unusable
  }
  const take = async (store: Store, { importStore }: Intake) =>
    sayCounts(t`Imported`, await importStore(store, directory))
  return withStore(flags, take, { mayBeNew: true })
}

function sayCounts(what: string, counts: Record<string, number>): void {
  const list = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
  process.stdout.write(t`${what} and verified: ${list.join(', ')}\n`)
}

type Intake = typeof import('@symup/intake')
type Store = Awaited<ReturnType<Intake['openStore']>>

async function withStore(
  flags: StoreFlags,
  use: (store: Store, intake: Intake) => Promise<void>,
  { mayBeNew = false } = {},
): Promise<number> {
  const intake = await loadIntake()
  if (!intake) return EXIT.unusable
  const { data, database, blobs } = flags
  if (data === undefined && (database === undefined || blobs === undefined)) {
    process.stderr.write(t`No store is selected. Pass --data, or both --database and --blobs.\n`)
    return EXIT.unusable
  }
  // If the directory were mistyped, a new empty store would be created and the command would appear to succeed.
  if (data !== undefined && database === undefined && !mayBeNew && !existsSync(join(data, 'intake.db'))) {
    process.stderr.write(t`No store found in ${data}: intake.db does not exist.\n`)
    return EXIT.unusable
  }
  const useIn = async (directory: string) => {
    const store = await intake.openStore(directory, { database, blobs })
    await use(store, intake).finally(() => store.close())
  }
  try {
    await (data === undefined ? withTemporaryDirectory(useIn) : useIn(data))
    return EXIT.ok
  } catch (error) {
    process.stderr.write(`${whyUnusable(error, data)}\n`)
    const isCommandWrong =
      error instanceof intake.StoreNotEmpty || (error as NodeJS.ErrnoException).code === 'package-missing'
    return isCommandWrong ? EXIT.unusable : EXIT.incomplete
  }
}
