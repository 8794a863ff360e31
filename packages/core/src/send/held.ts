import type { SymbolUpload } from '../model/plan.ts'
import { type HeldParts, MISSING_LIMIT, MISSING_PATH, type MissingAnswer } from '../model/wire.ts'
import { statusOf } from '../transport/envelope.ts'
import type { Intake } from './intake.ts'

/** Returns the parts whose content the intake already has, based on their SHA-256 hashes. */
export type FindHeld = (upload: SymbolUpload, hashes: readonly string[]) => Promise<HeldParts>

/** For uploads below 1 MiB, the additional request costs more than it saves. */
export const WORTH_ASKING_BYTES = 1024 * 1024

/**
 * Checks once whether the intake can report which content is missing.
 * @returns undefined if the intake does not support such requests or responds slowly.
 */
export async function openHeld(intake: Pick<Intake, 'ask'>, signal: AbortSignal): Promise<FindHeld | undefined> {
  const ask = async (hashes: string[]) => {
    const answer = await intake.ask(MISSING_PATH, { sha256: hashes }, signal)
    return answer && statusOf(answer) === 200 ? missingOf(answer.body) : undefined
  }
  if (!(await ask([]))) return undefined
  /** The hashes for the next request, collected while another request is running. */
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
  return async (upload, hashes) => {
    const there = await heldAmong(hashes)
    const held: HeldParts = {}
    for (const [index, { name, filename }] of upload.parts.entries()) {
      const sha256 = hashes[index]
      if (sha256 !== undefined && there.has(sha256)) held[name] = { sha256, filename }
    }
    return held
  }
}

/** A response without a list of missing hashes means that the intake does not support the request. */
function missingOf(body: string): ReadonlySet<string> | undefined {
  try {
    const { missing } = (JSON.parse(body) as { data: MissingAnswer }).data
    return Array.isArray(missing) ? new Set(missing) : undefined
  } catch {
    return undefined
  }
}
