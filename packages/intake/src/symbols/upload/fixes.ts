import type { ErrorCode } from '../../platform/errors.ts'

/** What to do about a refused upload, by the code of the answer. */
export const FIXES: Readonly<Partial<Record<ErrorCode, string>>> = {
  InvalidParameter: 'Correct the field or part that the message names; `symup … --dry-run` shows what would be sent.',
  BadRequest: 'Send multipart/form-data with an `event` part and the files of its type.',
  InvalidContentType: 'Send multipart/form-data, plain or with Content-Encoding gzip.',
  Unauthorized:
    'Send a valid upload key in the header DD-API-KEY; `symup doctor` shows which key is used and where it comes from.',
  AccessDenied: 'Use a key that has the right to upload.',
  EntityTooLarge: 'Split the chunk, or start the intake with higher limits.',
  RequestTooFrequently: 'Send fewer at a time, or wait as long as Retry-After says.',
  InternalError: "Look for the request id in the intake's standard error.",
  ServiceUnavailable: 'Try again later.',
}
