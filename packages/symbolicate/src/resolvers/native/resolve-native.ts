import { BinaryError } from '@symup/core/resolving'
import type { ArtifactSource, NativePlace } from '../../artifacts.ts'
import { outOfTime } from '../../budget.ts'
import { isHiddenName } from '../../dwarf/hidden-names.ts'
import type { NativeFrame } from '../../dwarf/native-frame.ts'
import type { Explanation, Reason, ResolvedFrame, ResolvedPosition } from '../../frames.ts'
import type { StackQuestion } from '../../question.ts'
import { reason } from '../../reasons.ts'
import { isSameArchitecture } from '../architecture.ts'
import { hitsFirst, type Miss } from '../hits-first.ts'
import { NAME_IT } from '../release-miss.ts'
import { parseAppleReport } from './apple-report.ts'
import { libraryName, listedBuildIds, type NativeRawFrame, parseNativeLine } from './native-stack.ts'
import { type OpenFiles, openArtifact } from './open-files.ts'

/** Resolves a line if it is a native frame. Returns undefined for all other lines. */
export type NativeLines = (line: string) => Promise<ResolvedFrame | undefined>

/** Resolves native frames and keeps recently used files open. */
export interface NativeResolver {
  /** Resolves an Apple crash report (text or `.ips`), or Apple frames with a separate list of images. */
  explainAppleStack(question: StackQuestion, source: ArtifactSource): Promise<Explanation>
  explainFrames(frames: NativeRawFrame[], question: StackQuestion, source: ArtifactSource): Promise<Explanation>
  /**
   * Returns a function that resolves a tombstone or a HarmonyOS report line by line. Such reports can contain both native and managed
   * frames.
   */
  linesOf(question: StackQuestion, source: ArtifactSource): NativeLines
}

const PLACES = 50
/** The library that contains a Flutter app's Dart code. Symbol files from `--split-debug-info` have the same build id and addresses. */
const DART_LIBRARY = 'libapp.so'
/** The number of hexadecimal digits in ids from Bugly, which are the last 16 bytes of build ids. */
const BUGLY_ID_LENGTH = 32
/** Matches libraries that every process on macOS, Windows or Linux loads. Used for stacks without paths. */
const SYSTEM_NAME =
  /^(?:libsystem_\w+\.dylib|libdyld\.dylib|libobjc\.A\.dylib|dyld|(?:ntdll|kernel32|kernelbase|user32|gdi32|ucrtbase|msvcrt|win32u|combase|rpcrt4|advapi32)\.dll|(?:libc|libm|libpthread|libdl|ld)(?:-\d\.\d+\.so|\.so\.\d)|ld-linux[\w-]*\.so\.\d|linux-(?:gate|vdso)\.so(?:\.\d)?)$/i
/** Matches system images that usually surround the frames of an Apple app. Used for reports that do not mark system images. */
const APPLE_NAME =
  /^(?:CoreFoundation|Foundation|UIKit(?:Core)?|AppKit|HIToolbox|SwiftUI(?:Core)?|AttributeGraph|Combine|QuartzCore|Core(?:AutoLayout|Data|Graphics|Location|Media|Text)|CFNetwork|GraphicsServices|(?:Base|FrontBoard|BackBoard|RunningBoard)(?:Board|Services)|JavaScriptCore|WebKit(?:Legacy)?|WebCore|Metal|AVF(?:Audio|Capture|Core)|dyld(?:_sim)?|lib(?:objc|dispatch|xpc|c\+\+(?:abi)?|dyld|swift\w+|system_\w+)(?:\.\w+){0,2}\.dylib)$/
/** Matches code that the Android runtime compiled from the app's classes, and memory that is not backed by a file. */
const MADE_BY_RUNTIME = /^(?:<anonymous\b|\/memfd:|\/dev\/ashmem\/)|\.(?:odex|oat|vdex|dex)$/
const SYSTEM_PATH = /^\/(?:system|system_ext|apex|vendor|product|odm|usr|lib|lib64)\/|^\[/

export function createNativeResolver(open: OpenFiles): NativeResolver {
  const explain = async (parsed: NativeRawFrame[], question: StackQuestion, source: ArtifactSource) => {
    const frames = await hitsFirst(parsed, question.budget, (frame) => resolveFrame(frame, question, source, open))
    return { frames }
  }
  return {
    explainFrames: explain,
    explainAppleStack: (question, source) =>
      explain(parseAppleReport(question.stack, question.images), question, source),
    linesOf: (question, source) => {
      const listed = listedBuildIds(question.stack)
      return async (line) => {
        const frame = parseNativeLine(line)
        const id = frame?.id ?? listed.get(frame?.module ?? '')
        if (!frame) return undefined
        const found = await resolveFrame({ ...frame, ...(id !== undefined && { id }) }, question, source, open)
        return 'explain' in found ? { ...found.frame, resolved: null, reason: await found.explain() } : found
      }
    },
  }
}

async function resolveFrame(
  frame: NativeRawFrame,
  question: StackQuestion,
  source: ArtifactSource,
  open: OpenFiles,
): Promise<ResolvedFrame | Miss> {
  const late = outOfTime(question.budget)
  if (late) return { raw: frame.raw, resolved: null, reason: late }
  if (!source.findNative) {
    const why = isOfSystem(frame) ? ofSystem(nameOf(frame)) : reason('not-resolvable-here')
    return { raw: frame.raw, resolved: null, reason: why }
  }
  const { id: ownId, breakpadId, offset, from, isReturn, isSystem: _, isOutside: __, ...rest } = frame
  const { symbolFiles: ___, arch: ____, symbol, ...raw } = rest
  // The frame already has a name.
  if (Number.isNaN(offset)) return { ...raw, resolved: null, reason: reason('already-original') }
  const unresolved = (why: Reason): ResolvedFrame => ({ ...raw, resolved: null, reason: why })
  if (frame.isOutside && APPLE_NAME.test(frame.module)) return unresolved(ofSystem(frame.module))
  if (frame.isOutside)
    return unresolved(
      reason('image-unknown', `The address ${frame.address} does not belong to any binary image in the report.`),
    )
  let id = ownId
  let artifact = id === undefined ? undefined : await source.findNative(id)
  if (!artifact && breakpadId !== undefined) {
    artifact = await source.findNative(breakpadId)
    if (artifact) id = breakpadId
  }
  if (id !== undefined && libraryName(frame.module) === DART_LIBRARY) {
    const { service, version } = question
    artifact ??= (await source.findFlutter?.({ service, version, buildId: id }, 1))?.[0]
  }
  const isShort = id?.length === BUGLY_ID_LENGTH && !SYSTEM_PATH.test(frame.module)
  if (!artifact && (id === undefined || isShort)) {
    const ids = new Set((await placesOf(frame, question, source)).map((place) => place.id))
    id = ids.size === 1 ? [...ids][0] : undefined
    artifact = id === undefined ? undefined : await source.findNative(id)
  }
  if (id === undefined || !artifact)
    return {
      frame: raw,
      file: `${frame.id ?? ''} ${frame.module}`,
      explain: () => explainMiss(frame, question, source),
    }

  const key = `${artifact.contentKey} ${artifact.symbolMap ?? ''} ${from === 'image' ? id : ''}`
  const openFile = () => openArtifact(artifact, from === 'image' ? { uuid: id } : {})
  try {
    const { found, hasDebugInfo, missingNames, address } = await open.use(key, openFile, (symbols) => {
      const isRelative = from === 'image' || symbols.format === 'wasm'
      const base = symbol === undefined ? (isRelative ? symbols.textAddress : 0) : symbols.addressOf(symbol)
      const { hasDebugInfo, missingNames } = symbols
      if (base === undefined) return { found: [], hasDebugInfo, missingNames, address: frame.address }
      const address = base + offset
      const found = symbols.lookUp(isReturn ? address - 1 : address)
      // For a WebAssembly module, show the address from the stack. If the stack is from another build, the address relative to the code can
      // be negative.
      const shown = symbols.format === 'wasm' ? offset : address
      return { found, hasDebugInfo, missingNames, address: `0x${shown.toString(16)}` }
    })
    if (found.length > 0) {
      const note = artifact.choice !== undefined && { note: artifact.choice }
      return { ...raw, ...positionOf(found, raw.module, hasDebugInfo, missingNames), ...note }
    }
    const message = `${libraryName(frame.module)} contains no symbol for the address ${address}.`
    return unresolved(
      reason('no-mapping-at-position', message, 'Check that the uploaded file is complete and not stripped.'),
    )
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    return unresolved(
      reason('symbols-unusable', `The symbols of ${libraryName(frame.module)} cannot be read. ${error.message}`),
    )
  }
}

const HIDDEN =
  'Xcode hid the names in this build. The original names are in a BCSymbolMap, which was not uploaded with the dSYM.'
const HIDDEN_FIX =
  'Upload the dSYM again together with the Xcode archive of the build, whose BCSymbolMaps directory contains the original names.'

const isHidden = ({ function: name = '', file = '' }: NativeFrame) =>
  isHiddenName(name) || file.split('/').some(isHiddenName)

/**
 * @param module the file name to use if the debug information does not contain a file name.
 * @param missingNames a missing file that contains some of the names.
 */
export function positionOf(
  found: NativeFrame[],
  module: string,
  hasDebugInfo: boolean,
  missingNames?: string,
): Pick<ResolvedFrame, 'resolved' | 'reason'> {
  const positions = found.map(
    ({ function: name, file, line, column }): ResolvedPosition => ({
      ...(name !== undefined && { function: name }),
      file: file ?? libraryName(module),
      // In DWARF, line 0 marks compiler-generated code, which has no column.
      ...(line !== undefined && line > 0 && { line, ...(column !== undefined && { column }) }),
    }),
  )
  const outermost = positions.pop() as ResolvedPosition
  const missing = found.at(-1)?.missing
  const split = `The debug information for this code is in ${missing}, which was not found. The frame resolves to a function name, but not to a file and line.`
  const isUnnamed = missingNames !== undefined && found.some(({ function: name }) => name === undefined)
  const unnamed = `Some function names are missing because dwz moved them to another file (${missingNames}).`
  return {
    resolved: { ...outermost, ...(positions.length > 0 && { inlined: positions }) },
    ...(missing !== undefined && { reason: reason('split-debug-info', split) }),
    ...(isUnnamed && {
      reason: reason('split-debug-info', unnamed, 'Upload a copy of the library that was not processed by dwz.'),
    }),
    ...(!hasDebugInfo && { reason: reason('no-debug-info') }),
    ...(found.some(isHidden) && { reason: reason('names-obfuscated', HIDDEN, HIDDEN_FIX) }),
  }
}

/**
 * Returns libraries with the given name whose ids end with the frame's id. For frames without an id, only libraries from the same release
 * are returned.
 */
async function placesOf(
  { module, symbolFiles, id, arch: ownArch }: NativeRawFrame,
  { service, version, arch = ownArch }: StackQuestion,
  source: ArtifactSource,
): Promise<NativePlace[]> {
  const isOwn = (place: NativePlace) =>
    place.id.endsWith(id ?? '') &&
    (arch === undefined || place.arch === undefined || isSameArchitecture(place.arch, arch))
  const isOfRelease = (place: NativePlace) => place.service === service && place.version === version
  for (const name of symbolFiles ?? [libraryName(module)]) {
    const named = (await source.findNativeNamed?.(name, PLACES, { service, version })) ?? []
    const own = named.filter((place) => isOwn(place) && isOfRelease(place))
    if (own.length > 0) return own
    const others = id === undefined ? [] : ((await source.findNativeNamed?.(name, PLACES)) ?? []).filter(isOwn)
    if (others.length > 0) return others
  }
  return []
}

function ofSystem(name: string): Reason {
  return reason('not-a-project-frame', `${name} belongs to the system, not to the app.`)
}

function isOfSystem(frame: NativeRawFrame): boolean {
  const { module, symbolFiles, isSystem = false, from } = frame
  return (
    isSystem ||
    SYSTEM_PATH.test(module) ||
    (from === 'image' && APPLE_NAME.test(nameOf(frame))) ||
    (symbolFiles !== undefined && SYSTEM_NAME.test(libraryName(module)))
  )
}

function nameOf({ module, symbolFiles }: NativeRawFrame): string {
  return symbolFiles?.[0] ?? libraryName(module)
}

async function hasNamed(source: ArtifactSource, names: readonly string[]): Promise<boolean> {
  const places = await Promise.all(names.map((name) => source.findNativeNamed?.(name, 1)))
  return places.some((found) => found !== undefined && found.length > 0)
}

async function explainMiss(frame: NativeRawFrame, question: StackQuestion, source: ArtifactSource): Promise<Reason> {
  const { id, module, symbolFiles, from } = frame
  const name = nameOf(frame)
  const word = from === 'image' ? 'UUID' : 'build-id'
  const places = (await source.findNativeNamed?.(name, PLACES)) ?? []
  const uploaded = [...new Set(places.map((place) => place.id))]
  if (id !== undefined && uploaded.length > 0) {
    const shown = uploaded.slice(0, 3).join(', ')
    return reason(
      'build-id-mismatch',
      `The stack contains ${name} with the ${word} ${id}, but the uploaded files have ${shown}.`,
    )
  }
  if (isOfSystem(frame)) return ofSystem(name)
  if (MADE_BY_RUNTIME.test(module))
    return reason('not-a-project-frame', `${module} is code that the Android runtime generated, not a library.`)
  if (symbolFiles && /\.(?:exe|dll|node)$/i.test(module)) {
    const stored = (await source.releasesWith?.('pe_symbol_file', 1)) ?? []
    if (stored.length > 0)
      return reason(
        'kind-not-resolved',
        `The uploaded Windows symbol files (PE, PDB) cannot be used to resolve stacks. ${libraryName(module)} requires Breakpad symbols.`,
      )
  }
  if (id === undefined && /\.apk$/.test(module))
    return reason(
      'build-id-unknown',
      `The stack contains ${name}, but not the name of the library inside that archive, so the address is relative to the archive.`,
      'Set useLegacyPackaging = true in the Gradle build so that libraries are loaded from files. Alternatively, report stacks that contain build-ids.',
    )
  const nativeFix = symbolFiles
    ? 'Upload the Breakpad symbols (.sym files) from the build.'
    : 'Upload the unstripped library from the build.'
  const fix = from === 'image' ? 'Upload the dSYM from the build.' : nativeFix
  // Minidump readers do not print ids, so files are found by name in the stack's release.
  if (id === undefined && from === 'image')
    return reason(
      'image-unknown',
      `The stack does not contain the UUID of ${name}, and the library name is not unique.`,
    )
  if (id === undefined) {
    const message = `The stack does not contain the build-id of ${name}, and no symbols were found under its name.`
    const isKnown = await hasNamed(source, symbolFiles ?? [name])
    return reason('build-id-unknown', isKnown ? undefined : message, symbolFiles && fix)
  }
  // Only files on disk have neither a service nor a version.
  if (question.service === '' && question.version === '')
    return reason('no-artifact', `The given files contain no symbols for ${name} with the ${word} ${id}.`, NAME_IT)
  return reason('no-artifact', `No symbols were uploaded for ${name} with the ${word} ${id}.`, fix)
}
