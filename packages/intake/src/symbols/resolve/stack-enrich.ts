import { PLATFORMS, type Platform } from '@symup/core'
import { type BinaryImage, type StackQuestion, Unanswered } from '@symup/symbolicate'
import { platformOf } from '@symup/symbolicate/internal'
import { ApiError, invalidParameter } from '../../platform/errors.ts'
import { JSON_BODY_BYTES } from '../../platform/http/server.ts'
import type { EnrichedFrame } from '../../platform/wire/enriched-frame.ts'
import { Instant, OneOf, type Static, Type } from '../../platform/wire/schema.ts'
import { defineOperation, type SymbolServices } from '../operation.ts'
import { artifactSource } from './artifact-source.ts'
import { enrichedFrames, Frame } from './enriched-frames.ts'
import { startOf } from './start-of.ts'

/** Binary image in a crash report from an Apple platform. */
const Image = Type.Object({
  uuid: Type.String(),
  name: Type.String(),
  is_system: Type.Optional(Type.Boolean()),
  load_address: Type.Optional(Type.Unknown()),
  max_address: Type.Optional(Type.Unknown()),
  arch: Type.Optional(Type.String()),
})

function readImage({ uuid, name, is_system, load_address, max_address, arch }: Static<typeof Image>): BinaryImage {
  const maxAddress = readAddress(max_address)
  return {
    uuid,
    name,
    isSystem: is_system === true,
    // If the load address is missing, the image contains no address.
    loadAddress: readAddress(load_address) ?? Number.MAX_SAFE_INTEGER,
    ...(maxAddress !== undefined && { maxAddress }),
    ...(arch !== undefined && { arch }),
  }
}

/** Addresses in crash reports are numbers or strings: `0x104a38000`, hexadecimal digits without a prefix, or decimal digits. */
function readAddress(value: unknown): number | undefined {
  if (value === undefined || value === '') return undefined
  const address =
    typeof value !== 'string'
      ? value
      : /^\d+$/.test(value)
        ? Number(value)
        : Number.parseInt(value.replace(/^0x/i, ''), 16)
  if (!Number.isSafeInteger(address) || (address as number) < 0) throw invalidParameter('binary_images')
  return address as number
}

/** Maximum number of debug ids. Real stacks refer to fewer files. */
const MAX_DEBUG_IDS = 1000

export const StackBody = Type.Object({
  service: Type.String({ minLength: 1 }),
  version: Type.String({ minLength: 1 }),
  type: Type.Optional(OneOf(PLATFORMS)),
  stack: Type.Optional(Type.String()),
  /** Number of source lines to return before and after each position. */
  near: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 3 })),
  /** Extension to the contract: distinguishes mini programs that have the same service and version. */
  appid: Type.Optional(Type.String()),
  /** Extension to the contract: ECMA-426 debug ids, keyed by file name exactly as it appears in the stack. */
  debug_ids: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      maxProperties: MAX_DEBUG_IDS,
      additionalProperties: { type: 'string' },
    }),
  ),
  /** Extension to the contract: Unix time of the event, in milliseconds. Used to detect files that were uploaded after the event. */
  event_time: Type.Optional(Instant),
  /** Part of the contract, but has no effect, because the intake does not cache resolved stacks. */
  no_cache: Type.Optional(Type.Boolean()),
  build_id: Type.Optional(Type.String()),
  variant: Type.Optional(Type.String()),
  arch: Type.Optional(Type.String()),
  source_type: Type.Optional(Type.String()),
  binary_images: Type.Optional(Type.Array(Image)),
})

/**
 * Extension to the contract: `retraced` is a JVM stack as the original program would have printed it. `note` is set if the stack has more
 * frames than were resolved.
 */
const Data = Type.Object(
  { frames: Type.Array(Frame), retraced: Type.Optional(Type.String()), note: Type.Optional(Type.String()) },
  { additionalProperties: true },
)

/**
 * Extension to the contract: each frame has `raw` (its line in the stack). `inlined` is set if the compiler inlined the frame into the next
 * frame. `candidates` (a list of lists of frames) is set if the frame is ambiguous. `reason` (`{code, message, fix}`) is set if the frame
 * is unresolved or incomplete.
 */
export const sourcemapStackEnrich = defineOperation({
  path: '/sourcemap/stack/enrich',
  name: 'sourcemap:read:stack-enrich',
  title: { en: 'Resolve a stack', zh: '还原错误堆栈' },
  bodyBytes: JSON_BODY_BYTES,
  body: StackBody,
  data: Data,
  example: { service: 'shop', version: '1.2.3', type: 'browser', stack: 'Error: x\n    at f (https://h/a.js:1:2)' },
  run: (call, body) => enrichStack(call, call.caller.account.id, body, call.whenGone),
})

interface Enriched {
  frames: EnrichedFrame[]
  retraced?: string
  note?: string
}

/**
 * Resolves a stack with the files of one account. React Native apps report their operating system as the type, so the type is detected if
 * no frame matches it.
 * @param whenGone returns a signal that is aborted if the client disconnects. Called only if the signal is needed.
 * @throws ApiError if the stack exceeds the limits, or if too many stacks are waiting.
 */
export async function enrichStack(
  services: SymbolServices,
  accountId: number,
  body: Static<typeof StackBody>,
  whenGone: () => AbortSignal,
): Promise<Enriched> {
  const { type = 'browser', stack = '' } = body
  const answer = await answerAs(type, services, accountId, body, whenGone)
  if (stack === '' || answer.frames.length > 0) return answer
  const other = platformOf(startOf(stack))
  if (other === type) return answer
  const second = await answerAs(other, services, accountId, body, whenGone)
  // If neither result has frames, return the first one, which describes the problem.
  return second.frames.length > 0 ? second : answer
}

async function answerAs(
  type: Platform,
  { store, symbolicator }: SymbolServices,
  accountId: number,
  body: Static<typeof StackBody>,
  whenGone: () => AbortSignal,
): Promise<Enriched> {
  const { service, version, stack = '', near = 3, appid, variant, arch } = body
  const { debug_ids: debugIds, event_time: eventTime, build_id: buildId } = body
  const question: StackQuestion & { platform: Platform } = {
    stack,
    service,
    version,
    near,
    platform: type,
    ...(debugIds && { debugIds }),
    ...(eventTime !== undefined && { eventTime }),
    ...(appid && { appid }),
    ...(variant && { variant }),
    ...(buildId && { buildId }),
    ...(arch && { arch }),
    images: (body.binary_images ?? []).map(readImage),
  }
  const asker = {
    get signal() {
      return whenGone()
    },
    owner: accountId,
  }
  const source = artifactSource(store, accountId)
  const { frames, text: retraced, note } = await answerOf(symbolicator.symbolicate(question, source, asker))
  return {
    frames: frames.flatMap((frame) => enrichedFrames(frame, type)),
    ...(retraced !== undefined && { retraced }),
    ...(note !== undefined && { note }),
  }
}

/** @throws ApiError if the stack could not be resolved in a pool thread. */
export async function answerOf<T>(answer: T | Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof Unanswered ? asApiError(error) : error
  }
}

/** A retry helps only if the pool was busy. If a limit was exceeded, a retry would exceed it again. */
function asApiError({ code, message }: Unanswered): ApiError {
  const isBusy = code !== 'too-expensive'
  const text = {
    en: `${message}${isBusy ? ' Try again.' : ''}`,
    zh: isBusy ? '正在还原的堆栈过多，请重试。' : '还原该堆栈所需的时间或内存超过上限。',
  }
  const error = new ApiError('ServiceUnavailable', text, isBusy ? { 'Retry-After': '1' } : {})
  error.reason = `stack-${code}`
  return error
}
