import type { SymbolEvent } from '../model/event.ts'
import type { FilePart, SymbolUpload } from '../model/plan.ts'
import { ACCEPTED_ONLY } from './accepted.ts'
import { arkts } from './arkts/index.ts'
import { breakpad } from './breakpad/index.ts'
import { dsym } from './dsym/index.ts'
import { flutter } from './flutter/index.ts'
import { harmonyNative } from './harmony-native/index.ts'
import { javascript } from './javascript/index.ts'
import { jvmMapping } from './jvm-mapping/index.ts'
import type { AcceptedKind, Kind, Traits } from './kind.ts'
import { miniProgram } from './mini-program/index.ts'
import { ndk } from './ndk/index.ts'
import { reactNative } from './react-native/index.ts'

/**
 * Every kind that symup sends, in the order in which help and `symup check` list them. In its type each has its own event: only by its export do our
 * published types know the events.
 */
export const SENT_KINDS = [
  javascript,
  jvmMapping,
  ndk,
  arkts,
  harmonyNative,
  dsym,
  miniProgram,
  reactNative,
  flutter,
  breakpad,
] as const

/** The same for code that treats all alike. */
export const KINDS: readonly Kind[] = SENT_KINDS

/** Every kind that an intake must take, by `event.type`. */
export const UPLOAD_KINDS: ReadonlyMap<string, AcceptedKind> = new Map(
  [...KINDS, ...ACCEPTED_ONLY].map((kind) => [kind.type, kind]),
)

/** The traits of an artifact's kind. */
export function traitsOf({ type }: SymbolEvent): Traits {
  return KINDS.find((kind) => kind.type === type)?.traits ?? {}
}

/** The deployed file of an artifact; undefined where its kind has none. */
export function scriptOf({ event, parts }: SymbolUpload): FilePart | undefined {
  const { script } = traitsOf(event)
  return script === undefined ? undefined : parts.find(({ name }) => name === script)
}

/** The source map of an artifact; undefined where its kind has none. */
export function mapOf({ event, parts }: SymbolUpload): FilePart | undefined {
  const { map } = traitsOf(event)
  return map === undefined ? undefined : parts.find(({ name }) => name === map)
}

/** What tells an artifact from the others of its service and version, for people. */
export function placeOf(event: SymbolEvent): string {
  return KINDS.find(({ type }) => type === event.type)?.place(event) ?? ''
}
