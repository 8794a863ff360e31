import type { ResolvedFrame, Symbolicator } from '@symup/symbolicate'
import { invalidParameter } from '../errors.ts'
import { artifactSource } from '../store/artifact-source.ts'
import type { Store } from '../store/store.ts'
import { type Body, flag, oneOf, requiredText, text, textsByName, wholeNumber } from './body.ts'

const PLATFORMS = ['browser', 'android', 'ios', 'miniprogram', 'harmony'] as const

/**
 * `POST /sourcemap/stack/enrich`. Beyond the contract the request may have `debug_ids` (file as the stack names it → ECMA-426 debug id), and each frame has `raw` (its line of the stack) and, when it is not converted, `reason`
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
  const debugIds = textsByName(body, 'debug_ids')
  flag(body, 'no_cache')
  if (type !== 'browser') throw invalidParameter('type', 'Stacks of this type are not resolved by this intake yet.')
  const question = { stack, service, version, near, ...(debugIds && { debugIds }) }
  const { frames } = await symbolicator.symbolicate(question, artifactSource(store, accountId))
  return { frames: frames.map(enriched) }
}

function enriched({ raw, function: name, file, line, column, resolved, reason }: ResolvedFrame): object {
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
    code_snippets: resolved.snippet ?? [],
    original_frame: original,
    third_party: /(?:^|\/)node_modules\//.test(resolved.file),
  }
}
