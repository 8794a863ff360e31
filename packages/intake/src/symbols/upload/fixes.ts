import type { ErrorCode, Localized } from '../../platform/errors.ts'

/** Fixes for refused uploads, by error code. */
export const FIXES: Readonly<Partial<Record<ErrorCode, Localized>>> = {
  InvalidParameter: {
    en: 'Correct the field or part that the message names; `symup … --dry-run` shows what would be sent.',
    zh: '请改正消息中指出的字段或部分；`symup … --dry-run` 会显示将要发送的内容。',
  },
  BadRequest: {
    en: 'Send multipart/form-data with an `event` part and the files of its type.',
    zh: '请发送 multipart/form-data，包含 `event` 部分及该类型的文件。',
  },
  InvalidContentType: {
    en: 'Send multipart/form-data, plain or with Content-Encoding gzip.',
    zh: '请发送 multipart/form-data，可不压缩，也可使用 Content-Encoding gzip。',
  },
  Unauthorized: {
    en: 'Send a valid upload key in the header DD-API-KEY; `symup doctor` shows which key is used and where it comes from.',
    zh: '请在请求头 DD-API-KEY 中发送有效的上传密钥；`symup doctor` 会显示使用的是哪个密钥及其来源。',
  },
  AccessDenied: { en: 'Use a key that has the right to upload.', zh: '请使用有上传权限的密钥。' },
  EntityTooLarge: {
    en: 'Split the chunk, or start the intake with higher limits.',
    zh: '请拆分该文件，或在启动接收服务时提高上限。',
  },
  RequestTooFrequently: {
    en: 'Send fewer at a time, or wait as long as Retry-After says.',
    zh: '请减少同时发送的数量，或按 Retry-After 等待。',
  },
  InternalError: {
    en: "Look for the request id in the intake's standard error.",
    zh: '请在接收服务的标准错误输出中查找该请求 ID。',
  },
  ServiceUnavailable: { en: 'Try again later.', zh: '请稍后再试。' },
}
