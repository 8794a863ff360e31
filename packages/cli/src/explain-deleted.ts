import { readLedger, UPLOAD_PATH } from '@symup/core'
import { urlPath } from '@symup/core/resolving'
import { shellWord, t } from '@symup/core/text'
import type { Explanation } from '@symup/symbolicate'

/** What earlier uploads of the project are known by. */
export interface Sent {
  /** The ledger file; need not exist. */
  ledger: string
  /** The stack, as the user named it. */
  stackFile: string
  /** Release of the stack, if the user or the event has one. */
  version?: string | undefined
}

/**
 * Explains frames of scripts whose source maps were uploaded and then deleted, with the command that asks the intake.
 * @param scripts of the directory, relative to it.
 * @returns the same explanation where no frame is of such a script.
 */
export async function withDeletedMaps(
  explanation: Explanation,
  scripts: readonly string[],
  { ledger, stackFile, version }: Sent,
): Promise<Explanation> {
  const missing = explanation.frames.filter(({ reason }) => reason?.code === 'no-artifact')
  if (missing.length === 0) return explanation
  const records = (await readLedger(ledger).catch(() => [])).filter(
    (it) => version === undefined || it.version === version,
  )
  const recordOf = new Map(records.map((record) => [urlPath(record.path), record]))
  let isChanged = false
  const frames = explanation.frames.map((frame) => {
    const path = missing.includes(frame) && frame.file !== undefined ? urlPath(frame.file) : ''
    const record = scripts.some((script) => path.endsWith(`/${script}`)) ? recordOf.get(path) : undefined
    if (!record) return frame
    isChanged = true
    const words = ['npx', 'symup', 'explain', stackFile, '--intake', record.endpoint.replace(UPLOAD_PATH, '')]
    if (record.service) words.push('--service', record.service)
    if (record.version) words.push('--release-version', record.version)
    const message = t`The source maps of this build were uploaded and deleted.`
    const fix = t`Ask the intake: ${words.map(shellWord).join(' ')}`
    return { ...frame, reason: { code: 'no-artifact' as const, message, fix } }
  })
  return isChanged ? { ...explanation, frames } : explanation
}
