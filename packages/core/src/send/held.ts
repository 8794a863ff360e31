import type { SymbolUpload } from '../model/plan.ts'
import { type HeldParts, MISSING_LIMIT, MISSING_PATH, type MissingAnswer } from '../model/wire.ts'
import { statusOf } from '../transport/envelope.ts'
import { partHashes } from './hashes.ts'
import type { Intake } from './intake.ts'

/** Finds the parts of an artifact whose content the intake holds already. */
export type FindHeld = (upload: SymbolUpload) => Promise<HeldParts>

const NOTHING: FindHeld = async () => ({})

/** For smaller uploads, asking costs more than it saves. */
export const WORTH_ASKING_BYTES = 1024 * 1024

/** After so many artifacts in a row of which the intake held nothing, only some of the next ones are asked for: hashing and asking take CPU. */
const MISSES = 32
/** One in so many. As soon as the intake holds something of one, it is asked for all again: of a stretch that it holds, fewer than so many are sent anew. */
const ONE_IN = 8

/** Asks the intake once whether it can say what it holds. One that does not know the question, or does not answer it soon, is sent everything. */
export async function openHeld(intake: Pick<Intake, 'ask'>, signal: AbortSignal): Promise<FindHeld> {
  const ask = async (hashes: string[]) => {
    const answer = await intake.ask(MISSING_PATH, { sha256: hashes }, signal)
    return answer && statusOf(answer) === 200 ? missingOf(answer.body) : undefined
  }
  if (!(await ask([]))) return NOTHING
  /** Hashes that wait for the next question: what is asked for while one is under way goes into one more. */
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
  /** Artifacts in a row that the intake held nothing of, and those that came since there were enough of them. */
  let misses = 0
  let passed = 0
  return async (upload) => {
    if (misses >= MISSES && ++passed % ONE_IN !== 0) return {}
    // A file that cannot be read is reported when it is sent.
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
