import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { t } from '@symup/core/text'
import type { UploadRequest } from './request.ts'

const LEVEL: Readonly<Record<string, 'ERROR' | 'WARN' | 'INFO'>> = {
  error: 'ERROR',
  warning: 'WARN',
  info: 'INFO',
  good: 'INFO',
}

/**
 * Runs the upload in a separate process and waits synchronously, because the build must not end before the upload. Whether hvigor awaits
 * promises from tasks is not documented. The API key is passed on standard input.
 * @throws Error with the problems if they cause the build to fail.
 */
export function runUploader(request: UploadRequest): void {
  const { stdout, stderr, status, error } = spawnSync(process.execPath, [join(__dirname, 'uploader.cjs')], {
    input: JSON.stringify(request),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  for (const line of (stdout ?? '').split('\n').filter((text) => text !== '')) {
    const [severity = '', text] = line.split('\t')
    console.log(`> hvigor ${LEVEL[severity] ?? 'ERROR'}: symup: ${text ?? line}`)
  }
  if (error) throw new Error(`symup: ${t`Could not start the upload: ${error.message}`}`)
  if (status === 0) return
  throw new Error(
    `symup: ${t`The upload of ${request.directory} failed. See the messages above.`}${stderr ? `\n${stderr}` : ''}`,
  )
}
