import { Readable } from 'node:stream'
import { HEADER, HELD_PART, type HeldParts, MISSING_LIMIT, UPLOAD_PATH } from '@symup/core'
import { PROBE_BOUNDARY } from '@symup/core/internal'
import { english } from '@symup/core/text'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Directory } from '../../platform/accounts/directory.ts'
import { asOutage } from '../../platform/database/outage.ts'
import { ApiError, type ErrorCode, invalidParameter, type Localized } from '../../platform/errors.ts'
import type { FaultSwitch } from '../../platform/faults/fault.ts'
import { drain } from '../../platform/http/drain.ts'
import type { IntakeEvents } from '../../platform/http/events.ts'
import { maskedHeaders, maskedText } from '../../platform/http/mask.ts'
import type { ReceivedPart } from '../../platform/http/recorded.ts'
import type { RateLimiter } from '../../platform/rate-limit/rate-limiter.ts'
import { excessOf } from '../../platform/wire/json-body.ts'
import { INDEXED_KINDS, type MapIndexes } from '../store/map-indexes.ts'
import { MINI_PROGRAM, saveMiniProgram } from '../store/mini-programs.ts'
import type { IncomingPart, Store } from '../store/store.ts'
import { inEachLanguage } from './chinese.ts'
import { inspectNative } from './inspect-native.ts'
import type { Limits } from './limits.ts'
import { FILE_PARTS, REPOSITORY, type ReceivedBody, receive } from './receive.ts'
import { uploaderOf } from './uploader.ts'
import { validate } from './validate.ts'

/**
 * Finds content that the account already has, so that the upload does not have to contain it.
 * @throws ApiError if the references are malformed or content is missing. Nothing is stored in this case.
 */
async function takeHeld(
  store: Store,
  accountId: number,
  text: string | undefined,
  sent: readonly IncomingPart[],
): Promise<IncomingPart[]> {
  if (text === undefined) return []
  const wanted = Object.entries(parse(text))
  for (const [name] of wanted) {
    if (!FILE_PARTS.has(name))
      throw invalidParameter('held', `The request contains no file part named ${name.slice(0, 50)}.`)
    if (sent.some((part) => part.name === name))
      throw invalidParameter(name, 'The request contains two parts with this name.')
  }
  const held = await store.heldContent(
    accountId,
    wanted.map(([, { sha256 }]) => sha256),
  )
  const parts: IncomingPart[] = []
  try {
    for (const [name, { sha256, filename }] of wanted) {
      const blob = held.has(sha256) ? await store.blobs.stageHeld(sha256) : undefined
      if (!blob) throw new ApiError('ResourceNotFound', `The content of ${name} is not stored. Send the content.`)
      parts.push({ name, filename: filename.slice(0, 300), blob })
    }
    return parts
  } catch (error) {
    await Promise.all(parts.map(({ blob }) => store.blobs.discard(blob)))
    throw error
  }
}

function parse(text: string): HeldParts {
  // Each part counts as three values: the part itself and its two fields.
  if (excessOf(text, 3 * MISSING_LIMIT) === 'values')
    throw invalidParameter('held', `The list contains more than ${MISSING_LIMIT} entries.`)
  let held: unknown
  try {
    held = JSON.parse(text)
  } catch {
    throw invalidParameter('held', 'The value is not valid JSON.')
  }
  const isHeld = (part: unknown) => {
    const { sha256, filename } = (part ?? {}) as Record<string, unknown>
    return typeof sha256 === 'string' && typeof filename === 'string'
  }
  const isObject = typeof held === 'object' && held !== null && !Array.isArray(held)
  if (!isObject || !Object.values(held as object).every(isHeld)) {
    throw invalidParameter('held', 'Each entry must contain sha256 and filename.')
  }
  return held as HeldParts
}

const FIXES: Readonly<Partial<Record<ErrorCode, Localized>>> = {
  InvalidParameter: {
    en: 'Correct the field or part that the message mentions. `symup … --dry-run` shows what would be sent.',
    zh: '请改正消息中指出的字段或部分；`symup … --dry-run` 会显示将要发送的内容。',
  },
  BadRequest: {
    en: 'Send multipart/form-data with an `event` part and the files that its type requires.',
    zh: '请发送 multipart/form-data，包含 `event` 部分及该类型的文件。',
  },
  InvalidContentType: {
    en: 'Send multipart/form-data, either uncompressed or with Content-Encoding gzip.',
    zh: '请发送 multipart/form-data，可不压缩，也可使用 Content-Encoding gzip。',
  },
  Unauthorized: {
    en: 'Send a valid upload key in the DD-API-KEY header. `symup doctor` shows which key is used and where it comes from.',
    zh: '请在请求头 DD-API-KEY 中发送有效的上传密钥；`symup doctor` 会显示使用的是哪个密钥及其来源。',
  },
  AccessDenied: { en: 'Use a key that has permission to upload.', zh: '请使用有上传权限的密钥。' },
  EntityTooLarge: {
    en: 'Split the chunk, or start the intake with higher limits.',
    zh: '请拆分该文件，或在启动接收服务时提高上限。',
  },
  RequestTooFrequently: {
    en: 'Send fewer requests at the same time, or wait for the time in the Retry-After header.',
    zh: '请减少同时发送的数量，或按 Retry-After 等待。',
  },
  InternalError: {
    en: 'Search for the request id in the standard error output of the intake.',
    zh: '请在接收服务的标准错误输出中查找该请求 ID。',
  },
  ServiceUnavailable: { en: 'Try again later.', zh: '请稍后再试。' },
}

export interface UploadContext {
  store: Store
  keys: Directory['uploadKeys']
  limits: Limits
  limiter: RateLimiter
  indexes: Pick<MapIndexes, 'want'>
  /** Absent if faults are not allowed. */
  faults?: FaultSwitch
  events: IntakeEvents
}

/** If an upload is refused, nothing is stored. */
export async function takeUpload(
  context: UploadContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<object> {
  const seen: Seen = { event: '', parts: [] }
  // `symup doctor` sends an empty form, which is rejected even if the key is valid.
  request.isProbe = request.headers['content-type']?.endsWith(`boundary=${PROBE_BOUNDARY}`) === true
  try {
    await context.faults?.apply(request.raw, reply, UPLOAD_PATH)
    if (reply.sent) return {}
    const data = await english(() => take(context, request, seen))
    // Discard the data after the compressed body, because unread data would block the connection.
    await drain(request.raw, reply)
    context.events.emit('upload', request.id)
    return data
  } catch (thrown) {
    const error = inEachLanguage(thrown)
    recordRejection(context.events, request, error, seen)
    throw error
  }
}

interface Seen {
  event: string
  parts: ReceivedPart[]
}

function recordRejection(events: IntakeEvents, request: FastifyRequest, error: unknown, { event, parts }: Seen): void {
  const known = error instanceof ApiError ? error : (asOutage(error) ?? new ApiError('InternalError'))
  // `symup doctor` sent this request to check the key. The key is valid, and the intake rejected only the empty form.
  if (known.status === 400 && request.isProbe) return
  events.emit('rejection', {
    id: request.id,
    time: Date.now(),
    status: known.status,
    code: known.code,
    message: { en: known.messageIn('en'), zh: known.messageIn('zh') },
    fix: FIXES[known.code] ?? { en: '', zh: '' },
    client: clientOf(request),
    headers: maskedHeaders(request.headers),
    event: event.length > MAX_EVENT_READ ? '' : maskedText(event).slice(0, MAX_EVENT_SHOWN),
    parts,
  })
}

const MAX_EVENT_SHOWN = 10_000
/** Maximum length of an event in which secrets are masked. Masking longer events would block other requests. */
const MAX_EVENT_READ = 64 * 1024

function clientOf(request: FastifyRequest): string {
  const origin = headerOf(request, HEADER.origin)
  const version = headerOf(request, HEADER.originVersion)
  return origin === null ? (headerOf(request, 'User-Agent') ?? '') : `${origin} ${version ?? ''}`.trim()
}

async function take(
  { store, keys, limits, limiter, indexes }: UploadContext,
  request: FastifyRequest,
  seen: Seen,
): Promise<object> {
  const account = await uploaderOf(keys, limiter, request)
  const body = await receive(request.raw, store.blobs, limits, (part) => seen.parts.push(part))
  seen.event = body.texts.get('event') ?? ''
  try {
    body.files.push(...(await takeHeld(store, account.id, body.texts.get(HELD_PART), body.files)))
    await keepRepository(store, body)
    const described = await validate(body)
    const native = await inspectNative(described, body, store.blobs, limits)
    const artifact = {
      ...described,
      ...native,
      account_id: account.id,
      origin: headerOf(request, HEADER.origin),
      origin_version: headerOf(request, HEADER.originVersion),
      request_id: request.id,
    }
    if (artifact.kind === MINI_PROGRAM) await saveMiniProgram(store, artifact, body.files)
    else {
      const id = await store.save(request.id, artifact, body.files)
      if (INDEXED_KINDS.includes(artifact.kind)) indexes.want(id)
    }
  } catch (error) {
    await Promise.all(body.files.map(({ blob }) => store.blobs.discard(blob)))
    throw error
  }
  return {}
}

async function keepRepository({ blobs }: Store, { texts, files }: ReceivedBody): Promise<void> {
  const text = texts.get(REPOSITORY)
  if (text === undefined || !/"type"\s*:\s*"repository"/.test(texts.get('event') ?? '')) return
  const blob = await blobs.stage(Readable.from([Buffer.from(text)]))
  files.push({ name: REPOSITORY, filename: REPOSITORY, blob })
}

function headerOf(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name.toLowerCase()]
  return typeof value === 'string' ? value.slice(0, 200) : null
}
