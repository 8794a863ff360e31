import type { IncomingHttpHeaders } from 'node:http'
import { UPLOAD_PATH } from '@symup/core'
import type { ErrorCode, Localized } from '../../platform/errors.ts'

/** Clients of other services, which the intake recognizes by the path and user agent of their requests. */
const OTHERS: readonly { name: string; path: RegExp; agent?: RegExp; code?: ErrorCode }[] = [
  // After a 404, sentry-cli prints "organization not found" instead of the message.
  { name: 'sentry-cli', path: /^\/api\/0\//, agent: /^sentry-cli/i, code: 'BadRequest' },
  {
    name: 'Bugsnag',
    path: /^\/(?:(?:js-|react-native-)?source-?map|ndk-symbol|so-symbol(?:-table)?|proguard|dsym|dart-symbol|unity-line-mappings|breakpad-symbol)$/,
    agent: /^bugsnag/i,
  },
  { name: 'Faro', path: /\/app\/[^/]+\/sourcemaps?(?:\/|$)/, agent: /^faro/i },
]

/** Returns advice for clients that send an upload to an unknown route. Some clients show the advice only with a specific error code. */
export function uploadHint({
  headers,
  path,
}: {
  headers: IncomingHttpHeaders
  path: string
}): (Localized & { code?: ErrorCode | undefined }) | undefined {
  const agent = headers['user-agent'] ?? ''
  const other = OTHERS.find((one) => one.path.test(path) || one.agent?.test(agent))
  if (other) {
    return {
      code: other.code,
      en: `This intake does not support the ${other.name} protocol. Upload with symup or datadog-ci to POST ${UPLOAD_PATH} instead.`,
      zh: `此服务不支持 ${other.name} 协议：请改用 symup 或 datadog-ci 上传到 POST ${UPLOAD_PATH}。`,
    }
  }
  if (!headers['content-type']?.toLowerCase().startsWith('multipart/form-data')) return undefined
  return { en: `Upload symbol files to POST ${UPLOAD_PATH}.`, zh: `符号文件应上传到 POST ${UPLOAD_PATH}。` }
}
