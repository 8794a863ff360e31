import { ContentLost } from '@symup/symbolicate'
import { ApiError, invalidParameter } from '../errors.ts'

/**
 * PostgreSQL error codes for lost or refused connections, shutdown, startup, too many connections, lock timeouts and read-only databases.
 */
const POSTGRES = /^(?:08...|57P0.|53...|40001|40P01|55P03|25006)$/
/** PostgreSQL error code for a statement that exceeds its time limit. */
const TOO_LATE = '57014'
/** PostgreSQL error code for a value that is too long to be indexed. */
const TOO_LONG = '54000'
const SYSTEM: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'SQLITE_BUSY',
  // Too many open files in the process (`EMFILE`) or on the machine (`ENFILE`).
  'EMFILE',
  'ENFILE',
])
/** Error codes for a disk that is full, over quota, read-only or faulty, or a file that is too large for it. */
const DISK = /^(?:ENOSPC|EDQUOT|EFBIG|EROFS|EIO|SQLITE_(?:FULL|READONLY|IOERR|CANTOPEN)(?:_\w+)?)$/
/** S3 errors are never caused by clients. Possible causes are an incorrect clock, expired keys or a missing object. */
const S3 = 'S3Error'
/** Matches the messages of errors that have no code. */
const MESSAGES =
  /Connection terminated|is not queryable|timeout exceeded when trying to connect|Request failed after \d+ retries|S3 was silent|S3 stores|returned different content/

/** @returns an error that makes clients retry the request if a store is unavailable; undefined for all other errors. */
export function asOutage(error: unknown): ApiError | undefined {
  const { code, message, name } = error as { code?: unknown; message?: unknown; name?: unknown }
  if (code === TOO_LONG)
    return invalidParameter('event', {
      en: 'The event contains a value that is too long to be indexed.',
      zh: '某个值过长，无法建立索引。',
    })
  if (typeof code === 'string' && DISK.test(code))
    return new ApiError(
      'ServiceUnavailable',
      { en: 'The intake cannot write to its disk. Try again.', zh: '暂时无法写入磁盘，请重试。' },
      { 'Retry-After': '5' },
    )
  if (message === ContentLost.why)
    return new ApiError('ServiceUnavailable', {
      en: 'An uploaded file that this request needs is missing or damaged in the intake store. Upload the file again.',
      zh: '所需的上传文件已在接收服务的存储中丢失或损坏，请重新上传。',
    })
  if (code === TOO_LATE || code === 'SQLITE_INTERRUPT')
    return new ApiError(
      'ServiceUnavailable',
      {
        en: 'The store took too long to respond. Request less data, or try again.',
        zh: '查询耗时过长，请缩小范围或重试。',
      },
      { 'Retry-After': '1' },
    )
  const known = typeof code === 'string' && (POSTGRES.test(code) || SYSTEM.has(code))
  if (!known && name !== S3 && !(typeof message === 'string' && MESSAGES.test(message))) return undefined
  return new ApiError(
    'ServiceUnavailable',
    { en: 'The store is unavailable. Try again.', zh: '暂时无法访问存储，请重试。' },
    { 'Retry-After': '1' },
  )
}
