import { BinaryError, type BinarySource } from '@symup/core'
import type { Explanation, Reason, ResolvedFrame, ResolvedPosition } from '../frames.ts'
import { reason } from '../reasons.ts'
import { type BinaryImage, isAppleReport, parseAppleReport } from './apple-report.ts'
import { hasNativeFrames, libraryName, type NativeRawFrame, parseNativeStack } from './native-stack.ts'
import { type NativeFrame, type NativeSymbols, openNativeSymbols } from './native-symbols.ts'

/** How the resolver asks for native symbols, whoever keeps them. */
export interface NativeArtifactSource {
  /** The file with this build-id (lower case) or UUID (upper case, dashes), whatever its service and version. */
  findNative(id: string): Promise<NativeArtifact | undefined>
  /** Files of a library of this name, newest first, at most `limit`: for stacks without ids, and to explain a miss. */
  findNativeNamed(name: string, limit: number): Promise<NativePlace[]>
}

export interface NativePlace {
  id: string
  service: string
  version: string
  arch?: string
}

export interface NativeArtifact {
  /** Equal for equal content. */
  contentKey: string
  open(): BinarySource
}

export interface NativeQuestion {
  stack: string
  service: string
  version: string
  /** Images that came beside an Apple stack. */
  images?: readonly BinaryImage[]
  /** Narrows libraries that the stack names without an id. */
  arch?: string
}

export interface NativeSymbolicator {
  /** Resolves every frame of a tombstone, a HarmonyOS or an Apple report, or says why it stays as it is. */
  symbolicateNative(question: NativeQuestion, source: NativeArtifactSource): Promise<Explanation>
}

/** Files kept open between calls. */
const MOST_OPEN = 8
const PLACES = 50
const SYSTEM_PATH = /^\/(?:system|system_ext|apex|vendor|product|odm|usr|lib|lib64)\/|^\[/

/** Whether a stack is one that this part resolves, whatever it was reported as. */
export function isNativeStack(stack: string): boolean {
  return hasNativeFrames(stack) || isAppleReport(stack)
}

export function createNativeSymbolicator(): NativeSymbolicator {
  const open = new Map<string, Promise<NativeSymbols>>()
  return {
    async symbolicateNative(question, source) {
      const parsed = hasNativeFrames(question.stack)
        ? parseNativeStack(question.stack)
        : parseAppleReport(question.stack, question.images)
      const frames: ResolvedFrame[] = []
      for (const frame of parsed) frames.push(await resolveFrame(frame, question, source, open))
      await closeOldest(open)
      return { frames }
    },
  }
}

async function closeOldest(open: Map<string, Promise<NativeSymbols>>): Promise<void> {
  for (const [key, symbols] of open) {
    if (open.size <= MOST_OPEN) return
    open.delete(key)
    ;(await symbols.catch(() => undefined))?.close()
  }
}

async function resolveFrame(
  frame: NativeRawFrame,
  question: NativeQuestion,
  source: NativeArtifactSource,
  open: Map<string, Promise<NativeSymbols>>,
): Promise<ResolvedFrame> {
  const { id: ownId, offset, from, isReturn, isSystem: _, isOutside: __, arch, ...raw } = frame
  const unresolved = (why: Reason): ResolvedFrame => ({ ...raw, resolved: null, reason: why })
  if (frame.isOutside)
    return unresolved(reason('image-unknown', `${frame.address} is in no image that the report names.`))
  const places = ownId === undefined ? await placesOf(frame, question, source) : []
  const id = ownId ?? (places.length === 1 ? places[0]?.id : undefined)
  const artifact = id === undefined ? undefined : await source.findNative(id)
  if (id === undefined || !artifact) return unresolved(await explainMiss(frame, source))

  const key = `${artifact.contentKey} ${from === 'image' ? id : ''}`
  const symbols = open.get(key) ?? openArtifact(artifact, from === 'image' ? { uuid: id } : {})
  open.delete(key)
  open.set(key, symbols)
  try {
    const { textAddress, lookUp, hasDebugInfo } = await symbols
    const address = offset + (from === 'image' ? textAddress : 0)
    const found = lookUp(isReturn ? address - 1 : address)
    if (found.length > 0) return { ...raw, ...positionOf(found, raw.module, hasDebugInfo) }
    const message = `${libraryName(frame.module)} has nothing for the address 0x${address.toString(16)}.`
    return unresolved(
      reason('no-mapping-at-position', message, 'Check that the uploaded file is whole and not stripped.'),
    )
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    open.delete(key)
    return unresolved(
      reason('symbols-unusable', `The symbols of ${libraryName(frame.module)} cannot be read: ${error.message}.`),
    )
  }
}

async function openArtifact(artifact: NativeArtifact, choice: { uuid?: string }): Promise<NativeSymbols> {
  const source = artifact.open()
  try {
    return await openNativeSymbols(source, choice)
  } catch (error) {
    source.close()
    throw error
  }
}

function positionOf(
  found: NativeFrame[],
  module: string,
  hasDebugInfo: boolean,
): Pick<ResolvedFrame, 'resolved' | 'reason'> {
  const positions = found.map(
    ({ function: name, file, line, column }): ResolvedPosition => ({
      ...(name !== undefined && { function: name }),
      file: file ?? libraryName(module),
      line: line ?? 0,
      ...(column !== undefined && { column }),
    }),
  )
  const outermost = positions.pop() as ResolvedPosition
  return {
    resolved: { ...outermost, ...(positions.length > 0 && { inlined: positions }) },
    ...(!hasDebugInfo && { reason: reason('no-debug-info') }),
  }
}

/** Libraries of this name that were uploaded for the same release. */
async function placesOf(
  { module }: NativeRawFrame,
  { service, version, arch }: NativeQuestion,
  source: NativeArtifactSource,
): Promise<NativePlace[]> {
  const named = await source.findNativeNamed(libraryName(module), PLACES)
  return named.filter(
    (place) => place.service === service && place.version === version && (arch === undefined || place.arch === arch),
  )
}

async function explainMiss(
  { id, module, isSystem, from }: NativeRawFrame,
  source: NativeArtifactSource,
): Promise<Reason> {
  const name = libraryName(module)
  const word = from === 'image' ? 'UUID' : 'build-id'
  const uploaded = [...new Set((await source.findNativeNamed(name, PLACES)).map((place) => place.id))]
  if (id !== undefined && uploaded.length > 0) {
    const shown = uploaded.slice(0, 3).join(', ')
    return reason('build-id-mismatch', `The stack says ${name} with the ${word} ${id}; uploaded are ${shown}.`)
  }
  if (isSystem || SYSTEM_PATH.test(module)) return reason('not-a-project-frame')
  if (id === undefined) return reason('build-id-unknown')
  const fix = from === 'image' ? 'Upload the dSYM of the build.' : 'Upload the unstripped library of the build.'
  return reason('no-artifact', `No symbols with the ${word} ${id} were uploaded (${name}).`, fix)
}
