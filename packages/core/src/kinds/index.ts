import type { SymbolEvent } from '../model/event.ts'
import type { FilePart, SymbolUpload } from '../model/plan.ts'
import type { ComparedFiles } from '../proof/prove.ts'
import { ACCEPTED_ONLY } from './accepted.ts'
import { arkts } from './arkts/index.ts'
import { breakpad } from './breakpad/index.ts'
import { dsym } from './dsym/index.ts'
import { flutter } from './flutter/index.ts'
import { harmonyNative } from './harmony-native/index.ts'
import { javascript } from './javascript/index.ts'
import { jvmMapping } from './jvm-mapping/index.ts'
import { type AcceptedKind, comparedFiles, type Kind, partsOf, type Traits } from './kind.ts'
import { miniProgram } from './mini-program/index.ts'
import { ndk } from './ndk/index.ts'
import { reactNative } from './react-native/index.ts'

/**
 * Every kind that symup sends, in the order used by the help and `symup check`. Each kind's type is preserved, so that our published types
 * contain its event.
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

/** All kinds, with the same type. */
export const KINDS: readonly Kind[] = SENT_KINDS

/** Every kind that an intake must accept, by `event.type`. */
export const UPLOAD_KINDS: ReadonlyMap<string, AcceptedKind> = new Map(
  [...KINDS, ...ACCEPTED_ONLY].map((kind) => [kind.type, kind]),
)

/** An artifact's kind; undefined for a type that symup does not send. */
export function kindOf({ type }: { type: string }): Kind | undefined {
  return KINDS.find((kind) => kind.type === type)
}

/** The traits of an artifact's kind. */
export function traitsOf(event: SymbolEvent): Traits {
  return kindOf(event)?.traits ?? {}
}

/** The address of an artifact's deployed file; undefined if its kind has none. */
export function addressOf(event: SymbolEvent): string | undefined {
  return kindOf(event)?.address?.(event)
}

/** The deployed file of an artifact; undefined if its kind has none. */
export function scriptOf({ event, parts }: SymbolUpload): FilePart | undefined {
  return partsOf(traitsOf(event), parts).script
}

/** The source map of an artifact; undefined if its kind has none. */
export function mapOf({ event, parts }: SymbolUpload): FilePart | undefined {
  return partsOf(traitsOf(event), parts).map
}

/**
 * The files of an artifact to compare; undefined if the artifact is not checked.
 * @param the parts, with content if they are in memory.
 */
export function comparedOf({ event }: SymbolUpload, parts: readonly FilePart[]): ComparedFiles | undefined {
  return comparedFiles(traitsOf(event), parts)
}

/** Whether any kind treats a path as a script, judged by the name. */
export function isScriptPath(path: string): boolean {
  return KINDS.some(({ traits }) => traits?.isScript?.(path))
}

/** A readable text that identifies an artifact within its service and version. */
export function placeOf(event: SymbolEvent): string {
  return kindOf(event)?.place(event) ?? ''
}
