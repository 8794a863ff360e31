import { createHash, createHmac } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { linesOf } from '../files/lines.ts'
import { makeDirectory } from '../files/make-directory.ts'
import { openRegularHandle } from '../files/open-regular.ts'
import { syncData } from '../files/sync-data.ts'
import type { SymbolUpload } from '../model/plan.ts'
import type { OutcomeStatus } from '../model/report.ts'
import type { Secret } from '../model/secret.ts'
import { t } from '../text.ts'

/** One line of the ledger file: an artifact that the intake has, or why it has not. */
export interface LedgerRecord {
  /** Time of the record, ISO 8601. */
  at: string
  endpoint: string
  service?: string
  version?: string
  /** The deployed file's address, else the path of the file on disk. */
  path: string
  /** Which one it is of those with the same path. In lines of older versions it is missing: of libraries and modules they tell the last one only. */
  member?: string
  /** sha256 of the artifact's files. */
  hash: string
  outcome: OutcomeStatus
  /** What makes the artifact the same one: endpoint, key, metadata and content, hashed with the key, which it does not reveal. */
  id: string
}

/** Where the ledger is when nobody names a file. */
export function ledgerPath(cacheDirectory: string): string {
  return join(cacheDirectory, 'ledger.jsonl')
}

/** A ledger beyond this is rewritten when it is opened, with the last record of each artifact that the intake has. */
const LARGE_BYTES = 8 * 1024 * 1024
/** Most artifacts that a rewritten ledger keeps, the latest ones. */
const KEPT_RECORDS = 10_000

/** It tells what was built and where it went: nobody else's business. */
const PRIVATE = 0o600
/** Never through a symbolic link, which whoever made the tree may have put there; Windows has neither flag. */
const APPEND =
  constants.O_APPEND | constants.O_CREAT | constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** What was sent before, in a file with one JSON document a line that is only ever appended to. */
export class Ledger {
  readonly #file: FileHandle
  readonly #accepted: ReadonlySet<string>
  #waiting: string[] = []
  #writing: Promise<void> = Promise.resolve()

  private constructor(file: FileHandle, accepted: Accepted) {
    this.#file = file
    this.#accepted = new Set([...accepted.values()].map(({ id }) => id))
  }

  /**
   * Opens or makes the ledger. Lines that cannot be read (a write that was cut off) are left out; what they stood for is sent again.
   * Throws what the file system says.
   * @param reads whether `has` will be asked. Else what earlier runs wrote is left unread: after many builds that is megabytes.
   */
  static async open(path: string, { reads }: { reads: boolean }): Promise<Ledger> {
    makeDirectory(dirname(path))
    let file = await openForAppending(path)
    let { size } = await file.stat()
    const isLarge = size > LARGE_BYTES
    const accepted = reads || isLarge ? await readAccepted(path) : new Map()
    if (isLarge) {
      await file.close()
      await rewrite(path, accepted)
      file = await openForAppending(path)
      size = (await file.stat()).size
    }
    const last = Buffer.alloc(1)
    if (size > 0) await file.read(last, 0, 1, size - 1)
    // A torn last line must not spoil the first one of this run.
    if (size > 0 && last.toString() !== '\n') await file.write('\n')
    return new Ledger(file, accepted)
  }

  has(id: string): boolean {
    return this.#accepted.has(id)
  }

  /** Writes a record soon, many at once in one write. From then on only the loss of the whole machine loses it. */
  record(record: LedgerRecord): void {
    this.#waiting.push(`${JSON.stringify(record)}\n`)
    if (this.#waiting.length > 1) return
    this.#writing = this.#writing.then(() => this.#flush())
    // `close` tells.
    this.#writing.catch(() => undefined)
  }

  /** Waits until everything is on the disk. Throws what the file system said on the way. */
  async close(): Promise<void> {
    try {
      await this.#writing
      await syncData(this.#file.fd)
    } finally {
      await this.#file.close()
    }
  }

  async #flush(): Promise<void> {
    const lines = this.#waiting.join('')
    this.#waiting = []
    await this.#file.write(lines)
  }
}

/** An older ledger that others may read becomes private. */
async function openForAppending(path: string): Promise<FileHandle> {
  const file = await open(path, APPEND, PRIVATE)
  try {
    const stats = await file.stat()
    if (!stats.isFile())
      throw Object.assign(new Error(t`${path} is not a regular file`), { code: t`not a regular file` })
    if ((stats.mode & 0o077) !== 0) await file.chmod(PRIVATE).catch(() => undefined)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** What the intake has according to a ledger, the latest last. Throws what the file system says. */
export async function readLedger(path: string): Promise<LedgerRecord[]> {
  return [...(await readAccepted(path)).values()].map(({ line }) => JSON.parse(line) as LedgerRecord)
}

/** What the intake has of each file, by its {@link placeIn}; the latest record last. */
type Accepted = Map<string, { id: string; line: string }>

async function readAccepted(path: string): Promise<Accepted> {
  const accepted: Accepted = new Map()
  // A pipe would be waited for.
  await (await openRegularHandle(path)).close()
  for await (const line of linesOf(path)) {
    const record = parsed(line)
    if (typeof record?.id !== 'string') continue
    const { id, outcome } = record
    const place = placeIn(record, record.member)
    // What was refused changes nothing for another content; after a failure nobody knows which one the intake has.
    if (outcome === 'refused' && accepted.get(place)?.id !== id) continue
    accepted.delete(place)
    accepted.delete(placeIn(record, undefined))
    if (outcome === 'accepted' || outcome === 'already-there') accepted.set(place, { id, line })
  }
  return accepted
}

/** The file that a record is of, whatever its content: the newer upload of one takes the place of the older one at the intake. */
function placeIn({ endpoint, service, version, path }: Partial<LedgerRecord>, member: string | undefined): string {
  return JSON.stringify([endpoint, service, version, path, member])
}

/** Replaces the file in one step, so that it is whole at any time. */
async function rewrite(path: string, accepted: Accepted): Promise<void> {
  const draft = `${path}.${process.pid}.draft`
  const lines = [...accepted.values()].slice(-KEPT_RECORDS)
  try {
    await rm(draft, { force: true })
    const content = lines.map(({ line }) => `${line}\n`).join('')
    await writeFile(draft, content, { flag: 'wx', mode: PRIVATE, flush: true })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

function parsed(line: string): Partial<LedgerRecord> | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** sha256 of the hashes of an artifact's files, each after the name of its part. */
export function contentHash({ parts }: SymbolUpload, hashes: readonly string[]): string {
  const hash = createHash('sha256')
  for (const [index, { name }] of parts.entries()) hash.update(`${name}:${hashes[index]}\n`)
  return hash.digest('hex')
}

/** What makes an artifact the same one at the same intake for the same key. The tool that sends it does not, nor where its sources are. */
export function artifactId(upload: SymbolUpload, hash: string, endpoint: string, apiKey: Secret): string {
  const { cli_version: _, git_repository_url: __, git_commit_sha: ___, ...event } = upload.event
  const identity = JSON.stringify([endpoint, Object.entries(event).sort(([a], [b]) => (a < b ? -1 : 1)), hash])
  return createHmac('sha256', apiKey.reveal()).update(identity).digest('hex').slice(0, 32)
}
