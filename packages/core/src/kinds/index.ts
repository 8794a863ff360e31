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
 * The kinds that symup sends, in the order in which the help and `symup check` list them. The type of each kind is preserved so that the
 * published types include its event.
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

export const KINDS: readonly Kind[] = SENT_KINDS

/** The kinds that an intake must accept, keyed by `event.type`. */
export const UPLOAD_KINDS: ReadonlyMap<string, AcceptedKind> = new Map(
  [...KINDS, ...ACCEPTED_ONLY].map((kind) => [kind.type, kind]),
)

export function kindOf({ type }: { type: string }): Kind | undefined {
  return KINDS.find((kind) => kind.type === type)
}

export function traitsOf(event: SymbolEvent): Traits {
  return kindOf(event)?.traits ?? {}
}

/** Returns the address of an artifact's deployed file, or undefined if its kind has no addresses. */
export function addressOf(event: SymbolEvent): string | undefined {
  return kindOf(event)?.address?.(event)
}

/** Returns the deployed file of an artifact, or undefined if its kind has none. */
export function scriptOf({ event, parts }: SymbolUpload): FilePart | undefined {
  return partsOf(traitsOf(event), parts).script
}

/** Returns the source map of an artifact, or undefined if its kind has none. */
export function mapOf({ event, parts }: SymbolUpload): FilePart | undefined {
  return partsOf(traitsOf(event), parts).map
}

/**
 * Returns the files to compare for an artifact, or undefined if the positions in the artifact are not checked.
 * @param parts the parts of the artifact, with their content if they are in memory.
 */
export function comparedOf({ event }: SymbolUpload, parts: readonly FilePart[]): ComparedFiles | undefined {
  return comparedFiles(traitsOf(event), parts)
}

/** Returns whether any kind treats a path as a script. The content of the file is not examined. */
export function isScriptPath(path: string): boolean {
  return KINDS.some(({ traits }) => traits?.isScript?.(path))
}

/** Returns a human-readable string that identifies an artifact within its service and version. */
export function placeOf(event: SymbolEvent): string {
  return kindOf(event)?.place(event) ?? ''
}
