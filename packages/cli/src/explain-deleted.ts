import { readLedger, UPLOAD_PATH } from '@symup/core'
import { urlPath } from '@symup/core/resolving'
import { shellWord, t } from '@symup/core/text'
import type { Explanation } from '@symup/symbolicate'

export interface Sent {
  /** The ledger path. The file may not exist. */
  ledger: string
  stackFile: string
  /** The release version, from the user or from the event. */
  version?: string | undefined
}

/**
 * Explains frames in scripts whose source maps were deleted after the upload, and suggests a command that resolves the stack with the
 * intake.
 * @param scripts relative paths of scripts in the directory.
 * @returns the explanation, which is unchanged if no frame is in such a script.
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
    const message = t`The source maps from this build were deleted after the upload.`
    const fix = t`To resolve the stack with the intake, run: ${words.map(shellWord).join(' ')}`
    return { ...frame, reason: { code: 'no-artifact' as const, message, fix } }
  })
  return isChanged ? { ...explanation, frames } : explanation
}
