import type { ResolvedFrame, Symbolicator } from '@symup/symbolicate'
import { invalidParameter } from '../errors.ts'
import { artifactSource } from '../store/artifact-source.ts'
import type { Store } from '../store/store.ts'
import { type Body, flag, oneOf, requiredText, text, wholeNumber } from './body.ts'

const PLATFORMS = ['browser', 'android', 'ios', 'miniprogram', 'harmony'] as const

/**
 * `POST /sourcemap/stack/enrich`. Beyond the contract a question about a mini program may have its `appid`, and each frame has `raw` (its line of the stack) and, when it is not converted, `reason`
 * `{code, message, fix}`.
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
  flag(body, 'no_cache')
  const appid = text(body, 'appid')
  if (type !== 'browser' && type !== 'miniprogram')
    throw invalidParameter('type', 'Stacks of this type are not resolved by this intake yet.')
  const question = { stack, service, version, near, platform: type, ...(appid && { appid }) }
  const { frames } = await symbolicator.symbolicate(question, artifactSource(store, accountId))
  return { frames: frames.map(enriched) }
}

function enriched({ raw, function: name, file, line, column, resolved, reason, note }: ResolvedFrame): object {
  const original = { ...(name !== undefined && { function: name }), file, line, column }
  if (!resolved)
    return { raw, ...original, converted: false, third_party: reason?.code === 'not-a-project-frame', reason }
  return {
    raw,
    ...(resolved.function !== undefined && { function: resolved.function }),
    file: resolved.file,
    line: resolved.line,
    column: resolved.column,
    converted: true,
    ...(note !== undefined && { note }),
    code_snippets: resolved.snippet ?? [],
    original_frame: original,
    third_party: /(?:^|\/)node_modules\//.test(resolved.file),
  }
}
