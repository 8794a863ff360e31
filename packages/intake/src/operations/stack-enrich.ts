import type { Platform } from '@symup/core'
import type { ResolvedFrame, ResolvedPosition, Symbolicator } from '@symup/symbolicate'
import { invalidParameter } from '../errors.ts'
import { artifactSource } from '../store/artifact-source.ts'
import type { Store } from '../store/store.ts'
import { readImages } from './binary-images.ts'
import { type Body, flag, oneOf, requiredText, text, textsByName, wholeNumber } from './body.ts'

const PLATFORMS = ['browser', 'android', 'ios', 'miniprogram', 'harmony'] as const

const RESOLVED: ReadonlySet<Platform> = new Set(['browser', 'android', 'ios', 'miniprogram', 'harmony'])

/**
 * `POST /sourcemap/stack/enrich`. Beyond the contract the request may have `debug_ids` (file as the stack names it → ECMA-426 debug id), `event_time` (Unix milliseconds) and the `appid` of a
 * mini program, and each frame has `raw` (its line of the stack), `inlined` where the compiler copied it into the next one, `candidates` (lists of frames) where it may
 * have been something else, and `reason` `{code, message, fix}` when it is not converted, or not as well as it could be; JVM stacks have their
 * whole text as `retraced`.
 */
export async function enrichStack(
  store: Store,
  symbolicator: Symbolicator,
  accountId: number,
  body: Body,
): Promise<object> {
  const service = requiredText(body, 'service')
  const version = requiredText(body, 'version')
  const type = oneOf(body, 'type', PLATFORMS) ?? 'browser'
  const stack = text(body, 'stack') ?? ''
  const near = wholeNumber(body, 'near', { least: 1, most: 20 }) ?? 3
  const debugIds = textsByName(body, 'debug_ids')
  const eventTime = wholeNumber(body, 'event_time')
  flag(body, 'no_cache')
  const appid = text(body, 'appid')
  const variant = text(body, 'variant')
  const buildId = text(body, 'build_id')
  const arch = text(body, 'arch')
  if (!RESOLVED.has(type)) throw invalidParameter('type', 'Stacks of this type are not resolved by this intake yet.')
  const question = {
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
    images: readImages(body.binary_images ?? []),
  }
  const { frames, text: retraced } = await symbolicator.symbolicate(question, artifactSource(store, accountId))
  return { frames: frames.flatMap((frame) => enriched(frame, type)), ...(retraced !== undefined && { retraced }) }
}

/** A call that the compiler inlined is a frame of its own above the one that holds it; both have the same `original_frame`. */
function enriched(frame: ResolvedFrame, platform: Platform): object[] {
  const { raw, function: name, file, line, column, module, address, resolved, reason, note } = frame
  const original = { ...namesOf(name, platform), file, line, column, module, address }
  if (!resolved)
    return [{ raw, ...original, converted: false, third_party: reason?.code === 'not-a-project-frame', reason }]
  const { inlined = [], candidates = [], ...outermost } = resolved
  const common = {
    raw,
    module,
    address,
    converted: true,
    original_frame: original,
    ...(reason && { reason }),
    ...(note !== undefined && { note }),
  }
  const frames = [...inlined, outermost].map((position) => ({ ...common, ...positionOf(position, platform) }))
  return frames.map((it, depth) =>
    depth < inlined.length
      ? { ...it, inlined: true }
      : {
          ...it,
          ...(candidates.length > 0 && { candidates: candidates.map((other) => candidateOf(other, platform)) }),
        },
  )
}

function positionOf({ function: name, file, line, column, snippet }: ResolvedPosition, platform: Platform) {
  return {
    ...namesOf(name, platform),
    file,
    line,
    column,
    code_snippets: snippet ?? [],
    third_party: /(?:^|\/)(?:node_modules|oh_modules)\//.test(file),
  }
}

/** One possibility, as the frames that it would be, innermost first. */
function candidateOf({ inlined = [], ...outermost }: ResolvedPosition, platform: Platform): object[] {
  return [...inlined, outermost].map(({ function: name, file, line, column }) => ({
    ...namesOf(name, platform),
    file,
    line,
    column,
  }))
}

/** A JVM function is a class and a method; one of native code has brackets. */
function namesOf(name: string | undefined, platform: Platform): object {
  if (name === undefined) return {}
  if (/[:(<]/.test(name)) return { function: name }
  const dot = name.lastIndexOf('.')
  if (platform !== 'android' || dot === -1) return { function: name }
  return { function: name, class_name: name.slice(0, dot), method_name: name.slice(dot + 1) }
}
