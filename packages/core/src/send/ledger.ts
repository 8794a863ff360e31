import { createHash, createHmac } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hashFile } from '../files/hash-file.ts'
import { linesOf } from '../files/lines.ts'
import { makeDirectory } from '../files/make-directory.ts'
import { openRegularHandle } from '../files/open-regular.ts'
import { syncData } from '../files/sync-data.ts'
import { placeOf } from '../kinds/index.ts'
import type { SymbolUpload } from '../model/plan.ts'
import type { Outcome, OutcomeStatus } from '../model/report.ts'
import type { Secret } from '../model/secret.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'

/** One line in the ledger file: the result of uploading an artifact. */
export interface LedgerRecord {
  /** The time of the record in ISO 8601. */
  at: string
  endpoint: string
  service?: string
  version?: string
  /** The address of the deployed file or, if it has no address, its path on disk. */
  path: string
  /** Distinguishes artifacts with the same path. Records from older versions of symup do not contain `member`. */
  member?: string
  /** The SHA-256 of the artifact's files. */
  hash: string
  outcome: OutcomeStatus
  /** A hash of the endpoint, the key, the metadata and the content. The hash does not reveal the key. */
  id: string
}

export function ledgerPath(cacheDirectory: string): string {
  return join(cacheDirectory, 'ledger.jsonl')
}

/** A ledger larger than 8 MiB is compacted when it is opened. Only the last record of each uploaded artifact remains. */
const LARGE_BYTES = 8 * 1024 * 1024
/** The maximum number of artifacts in a compacted ledger. If the ledger contains more, the oldest ones are dropped. */
const KEPT_RECORDS = 10_000

/** The ledger shows what was built and where it was sent, so only its owner may read it. */
const PRIVATE = 0o600
/**
 * With these flags, opening a symbolic link fails. Another user could have created one in the directory. Windows has neither O_NOFOLLOW nor
 * O_NONBLOCK.
 */
const APPEND =
  constants.O_APPEND | constants.O_CREAT | constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

export type History = Awaited<ReturnType<typeof openHistory>>

interface ArtifactIdentity {
  hash: string
  id: string
  member?: string
}

/**
 * Opens the ledger at `path`. An unusable ledger causes only a warning, because an upload works without it.
 * @param reads whether `has` will be called.
 */
export async function openHistory(path: string, endpoint: string, apiKey: Secret, reads: boolean) {
  let ledger: Ledger | undefined
  const problems: Problem[] = []
  const note = (error: unknown) => {
    ledger = undefined
    const { code, message } = error as NodeJS.ErrnoException
    problems.push(problem('ledger-unusable', t`The ledger cannot be used (${code ?? message}).`, { file: path }))
  }
  try {
    ledger = await Ledger.open(path, { reads })
  } catch (error) {
    note(error)
  }
  return {
    identify(upload: SymbolUpload, hashes: readonly string[]): ArtifactIdentity {
      const hash = contentHash(upload, hashes)
      const { member } = upload
      return { hash, id: artifactId(upload, hash, endpoint, apiKey), ...(member !== undefined && { member }) }
    },
    has: ({ id }: ArtifactIdentity) => ledger?.has(id) ?? false,
    record(identity: ArtifactIdentity, { event, status }: Outcome): void {
      // Uploads of dSYMs have neither a service nor a version.
      const { service = '', version = '' } = event
      const path = placeOf(event)
      ledger?.record({ at: new Date().toISOString(), endpoint, service, version, path, outcome: status, ...identity })
    },
    /** Closes the ledger and returns the problems that occurred. */
    async close() {
      await ledger?.close().catch(note)
      return problems
    },
  }
}

/** The record of sent artifacts: an append-only file with one JSON document per line. */
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
   * Opens or creates the ledger. Unreadable lines, such as incomplete writes, are skipped, and their artifacts are sent again.
   * @param reads whether `has` will be called. If false, earlier records are not read, because the file may be several megabytes in size.
   * @throws a file system error.
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
    // The last line from an earlier run may be incomplete. A line break prevents it from corrupting the first new line.
    if (size > 0 && last.toString() !== '\n') await file.write('\n')
    return new Ledger(file, accepted)
  }

  has(id: string): boolean {
    return this.#accepted.has(id)
  }

  /** Queues a record. Queued records are written together. Once written, a record can be lost only if the machine crashes. */
  record(record: LedgerRecord): void {
    this.#waiting.push(`${JSON.stringify(record)}\n`)
    if (this.#waiting.length > 1) return
    this.#writing = this.#writing.then(() => this.#flush())
    // `close` reports a failed write.
    this.#writing.catch(() => undefined)
  }

  /**
   * Waits until all records are on disk.
   * @throws a file system error, including errors from earlier writes.
   */
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

/** Opens the ledger. An older ledger that is world-readable is made private. */
async function openForAppending(path: string): Promise<FileHandle> {
  const file = await open(path, APPEND, PRIVATE)
  try {
    const stats = await file.stat()
    if (!stats.isFile())
      throw Object.assign(new Error(t`The ledger ${path} is not a regular file.`), { code: t`not a regular file` })
    if ((stats.mode & 0o077) !== 0) await file.chmod(PRIVATE).catch(() => undefined)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/**
 * Returns the uploaded artifacts according to a ledger, with the latest one last.
 * @throws a file system error.
 */
export async function readLedger(path: string): Promise<LedgerRecord[]> {
  return [...(await readAccepted(path)).values()].map(({ line }) => JSON.parse(line) as LedgerRecord)
}

/** The accepted content of each file, keyed by the result of {@link placeIn}. The latest record is last. */
type Accepted = Map<string, { id: string; line: string }>

async function readAccepted(path: string): Promise<Accepted> {
  const accepted: Accepted = new Map()
  // Opening a pipe for appending would block, so pipes are rejected first.
  await (await openRegularHandle(path)).close()
  for await (const line of linesOf(path)) {
    const record = parsed(line)
    if (typeof record?.id !== 'string') continue
    const { id, outcome } = record
    const place = placeIn(record, record.member)
    // A rejection does not affect content that was accepted earlier. After other failures, the content of the intake is unknown.
    if (outcome === 'refused' && accepted.get(place)?.id !== id) continue
    accepted.delete(place)
    accepted.delete(placeIn(record, undefined))
    if (outcome === 'accepted' || outcome === 'already-there') accepted.set(place, { id, line })
  }
  return accepted
}

/** Identifies the file of a record regardless of the content. Newer uploads of the file replace older ones. */
function placeIn({ endpoint, service, version, path }: Partial<LedgerRecord>, member: string | undefined): string {
  return JSON.stringify([endpoint, service, version, path, member])
}

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

/** Returns a SHA-256 hash that is computed from the hashes of an artifact's files and the names of their parts. */
export function contentHash({ parts }: SymbolUpload, hashes: readonly string[]): string {
  const hash = createHash('sha256')
  for (const [index, { name }] of parts.entries()) hash.update(`${name}:${hashes[index]}\n`)
  return hash.digest('hex')
}

/**
 * Identifies an artifact at one intake with one key. The id does not depend on the tool that uploads the artifact or on the location of the
 * sources.
 */
export function artifactId(upload: SymbolUpload, hash: string, endpoint: string, apiKey: Secret): string {
  const { cli_version: _, git_repository_url: __, git_commit_sha: ___, ...event } = upload.event
  const identity = JSON.stringify([endpoint, Object.entries(event).sort(([a], [b]) => (a < b ? -1 : 1)), hash])
  return createHmac('sha256', apiKey.reveal()).update(identity).digest('hex').slice(0, 32)
}

/**
 * Returns the hexadecimal SHA-256 hash of each file in an artifact, or undefined if a file cannot be read. The upload reports unreadable
 * files.
 */
export async function partHashes({ parts }: SymbolUpload): Promise<string[] | undefined> {
  const hashes: string[] = []
  try {
    for (const { content, path } of parts)
      hashes.push(content ? createHash('sha256').update(content).digest('hex') : await hashFile(path))
    return hashes
  } catch {
    return undefined
  }
}
