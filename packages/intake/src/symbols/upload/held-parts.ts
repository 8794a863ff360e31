import { type HeldParts, MISSING_LIMIT } from '@symup/core'
import { allAtOnce } from '@symup/core/resolving'
import { ApiError, invalidParameter } from '../../platform/errors.ts'
import { excessOf } from '../../platform/wire/json-body.ts'
import type { IncomingPart, Store } from '../store/store.ts'
import { FILE_PARTS } from './receive.ts'

/**
 * Creates the parts whose content the account already has and the request only refers to.
 * @throws ApiError if the text is malformed or content is missing. Nothing is left behind then.
 */
export async function takeHeld(
  store: Store,
  accountId: number,
  text: string | undefined,
  sent: readonly IncomingPart[],
): Promise<IncomingPart[]> {
  if (text === undefined) return []
  const wanted = Object.entries(parse(text))
  for (const [name] of wanted) {
    if (!FILE_PARTS.has(name)) throw invalidParameter('held', `There is no file part ${name.slice(0, 50)}.`)
    if (sent.some((part) => part.name === name)) throw invalidParameter(name, 'There are two parts of this name.')
  }
  const held = await store.heldContent(
    accountId,
    wanted.map(([, { sha256 }]) => sha256),
  )
  const parts: IncomingPart[] = []
  try {
    for (const [name, { sha256, filename }] of wanted) {
      const blob = held.has(sha256) ? await store.blobs.stageHeld(sha256) : undefined
      if (!blob) throw new ApiError('ResourceNotFound', `The content of ${name} is not held. Send it.`)
      parts.push({ name, filename: filename.slice(0, 300), blob })
    }
    return parts
  } catch (error) {
    await Promise.all(parts.map(({ blob }) => store.blobs.discard(blob)))
    throw error
  }
}

function parse(text: string): HeldParts {
  // Each part has two fields.
  if (allAtOnce(excessOf(text, 3 * MISSING_LIMIT)))
    throw invalidParameter('held', `There are more than ${MISSING_LIMIT}.`)
  let held: unknown
  try {
    held = JSON.parse(text)
  } catch {
    throw invalidParameter('held', 'It is not JSON.')
  }
  const isHeld = (part: unknown) => {
    const { sha256, filename } = (part ?? {}) as Record<string, unknown>
    return typeof sha256 === 'string' && typeof filename === 'string'
  }
  const isObject = typeof held === 'object' && held !== null && !Array.isArray(held)
  if (!isObject || !Object.values(held as object).every(isHeld)) {
    throw invalidParameter('held', 'It must give sha256 and filename of each part.')
  }
  return held as HeldParts
}
