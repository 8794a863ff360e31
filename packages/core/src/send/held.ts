import type { SymbolUpload } from '../model/plan.ts'
import { type HeldParts, MISSING_LIMIT, MISSING_PATH, type MissingAnswer } from '../model/wire.ts'
import { statusOf } from '../transport/envelope.ts'
import { partHashes } from './hashes.ts'
import type { Intake } from './intake.ts'

/** Finds the parts of an artifact whose content the intake already has. */
export type FindHeld = (upload: SymbolUpload) => Promise<HeldParts>

const NOTHING: FindHeld = async () => ({})

/** For smaller uploads, asking costs more than it saves. */
export const WORTH_ASKING_BYTES = 1024 * 1024

/**
 * After this many consecutive artifacts without a match, only some of the next ones are asked about, because hashing and asking take CPU.
 */
const MISSES = 32
/** One in this many. After a match, all artifacts are asked about again, so that few are sent unnecessarily. */
const ONE_IN = 8

/** Asks once whether the intake supports this request. If it does not, or does not answer soon, everything is sent. */
export async function openHeld(intake: Pick<Intake, 'ask'>, signal: AbortSignal): Promise<FindHeld> {
  const ask = async (hashes: string[]) => {
    const answer = await intake.ask(MISSING_PATH, { sha256: hashes }, signal)
    return answer && statusOf(answer) === 200 ? missingOf(answer.body) : undefined
  }
  if (!(await ask([]))) return NOTHING
  /** Hashes for the next request. They are collected while a request is running. */
  let waiting = new Set<string>()
  let next: Promise<ReadonlySet<string>> | undefined
  let underWay: Promise<unknown> = Promise.resolve()
  const heldAmong = (hashes: readonly string[]): Promise<ReadonlySet<string>> => {
    if (waiting.size + hashes.length > MISSING_LIMIT) return Promise.resolve(new Set())
    for (const hash of hashes) waiting.add(hash)
    next ??= underWay.then(async () => {
      const asked = [...waiting]
      waiting = new Set()
      next = undefined
      const answer = ask(asked)
      underWay = answer
      const missing = await answer
      return new Set(missing ? asked.filter((hash) => !missing.has(hash)) : [])
    })
    return next
  }
  /** Consecutive artifacts without a match, and those skipped since the limit was reached. */
  let misses = 0
  let passed = 0
  return async (upload) => {
    if (misses >= MISSES && ++passed % ONE_IN !== 0) return {}
    // An unreadable file is reported when it is sent.
    const hashes = await partHashes(upload).catch(() => [])
    if (hashes.length === 0) return {}
    const there = await heldAmong(hashes)
    const held: HeldParts = {}
    for (const [index, { name, filename }] of upload.parts.entries()) {
      const sha256 = hashes[index]
      if (sha256 !== undefined && there.has(sha256)) held[name] = { sha256, filename }
    }
    misses = Object.keys(held).length > 0 ? 0 : misses + 1
    return held
  }
}

/** An answer in any other format means that nothing is held. */
function missingOf(body: string): ReadonlySet<string> | undefined {
  try {
    const { missing } = (JSON.parse(body) as { data: MissingAnswer }).data
    return Array.isArray(missing) ? new Set(missing) : undefined
  } catch {
    return undefined
  }
}
