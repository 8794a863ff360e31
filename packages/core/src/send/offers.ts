import type { SymbolUpload } from '../model/plan.ts'
import { type HeldParts, MISSING_LIMIT, MISSING_PATH, type MissingAnswer } from '../model/wire.ts'
import type { Client } from './client.ts'
import { partHashes } from './part-hashes.ts'

/** What an intake can do beyond taking uploads. */
export interface Offers {
  /** Encodings of request bodies that it announces. */
  encodings: string[]
  /** The parts of an artifact whose content it holds already. */
  held(upload: SymbolUpload): Promise<HeldParts>
}

const NOTHING: Offers = { encodings: [], held: async () => ({}) }

/** With less than this to send, asking costs more than it saves. */
export const WORTH_ASKING_BYTES = 1024 * 1024
/** Artifacts in one question, so that the first of them need not wait until all files are hashed. */
const ARTIFACTS_AT_ONCE = 50

/** Asks the intake once what it offers. One that does not know the question, or does not answer it soon, offers nothing. */
export async function discoverOffers(
  client: Pick<Client, 'ask'>,
  uploads: readonly SymbolUpload[],
  signal: AbortSignal,
): Promise<Offers> {
  const ask = async (hashes: string[]) => {
    const answer = await client.ask(MISSING_PATH, { sha256: hashes }, signal)
    const missing = answer?.status === 200 ? missingOf(answer.body) : undefined
    return missing && { missing, encodings: answer?.headers['accept-encoding'] ?? '' }
  }
  const first = await ask([])
  if (!first) return NOTHING
  const batchOf = new Map(uploads.map((upload, index) => [upload, Math.floor(index / ARTIFACTS_AT_ONCE)]))
  const batches = new Map<number, Promise<ReadonlySet<string>>>()
  const heldOfBatch = async (batch: number): Promise<ReadonlySet<string>> => {
    const members = uploads.slice(batch * ARTIFACTS_AT_ONCE, (batch + 1) * ARTIFACTS_AT_ONCE)
    const hashes = new Set<string>()
    // A file that cannot be read is reported when it is sent.
    for (const member of members) for (const hash of await partHashes(member).catch(() => [])) hashes.add(hash)
    const asked = [...hashes].slice(0, MISSING_LIMIT)
    const missing = (await ask(asked))?.missing
    return new Set(missing ? asked.filter((hash) => !missing.has(hash)) : [])
  }
  return {
    encodings: first.encodings.split(',').map((encoding) => encoding.replace(/;.*/, '').trim().toLowerCase()),
    async held(upload) {
      const batch = batchOf.get(upload) ?? 0
      let answer = batches.get(batch)
      if (!answer) {
        answer = heldOfBatch(batch)
        batches.set(batch, answer)
      }
      const there = await answer
      const hashes = await partHashes(upload).catch(() => [])
      const held: HeldParts = {}
      for (const [index, { name, filename }] of upload.parts.entries()) {
        const sha256 = hashes[index]
        if (sha256 !== undefined && there.has(sha256)) held[name] = { sha256, filename }
      }
      return held
    },
  }
}

/** Nothing is believed to be held unless the answer has the very shape of one. */
function missingOf(body: string): ReadonlySet<string> | undefined {
  try {
    const { missing } = (JSON.parse(body) as { data: MissingAnswer }).data
    return Array.isArray(missing) ? new Set(missing) : undefined
  } catch {
    return undefined
  }
}
