import { BinaryError } from '@symup/core/resolving'
import type { ArtifactSource, FlutterArtifact } from '../../artifacts.ts'
import { type Budget, outOfTime } from '../../budget.ts'
import type { NativeSymbols } from '../../dwarf/native-frame.ts'
import type { Explanation, Reason, ResolvedFrame } from '../../frames.ts'
import type { StackQuestion } from '../../question.ts'
import { reason } from '../../reasons.ts'
import { isSameArchitecture } from '../architecture.ts'
import { type OpenFiles, openArtifact } from '../native/open-files.ts'
import { positionOf } from '../native/resolve-native.ts'
import { explainReleaseMiss, listed, NAME_IT, releaseName, unique } from '../release-miss.ts'
import { type DartRawFrame, type DartStack, parseDartStack } from './dart-stack.ts'

const MAX_FILES = 50
/** The symbols at which the instructions start. Dart 3.13 and later use `Text` instead of `Instructions`. */
const STARTS = {
  isolate: ['kDartIsolateSnapshotInstructions', 'kDartSnapshotText', 'kDartIsolateSnapshotText'],
  vm: ['kDartVmSnapshotInstructions', 'kDartVmSnapshotText'],
} as const

/** The unit that contains the app's main code. `--split-debug-info` writes a separate file for each of the other units. */
const ROOT_UNIT = 1
const UPLOAD_IT = 'Upload the --split-debug-info directory with `symup flutter upload`.'
const FOREIGN = 'The code belongs to the Dart virtual machine or the system.'

/** The build-time names of operating systems whose run-time names are different. */
const SYSTEMS: Readonly<Record<string, string>> = { macos: 'darwin' }

/**
 * Resolves a stack without function names from a Flutter app.
 * @param open the cache for open files.
 */
export async function explainDartStack(
  question: StackQuestion,
  source: ArtifactSource,
  open: OpenFiles,
): Promise<Explanation> {
  const stack = parseDartStack(question.stack)
  const unresolved = (why: Reason) => ({ frames: stack.frames.map((frame) => unresolvedFrame(frame, why)) })
  if (stack.frames.every(({ isOriginal, isForeign }) => isOriginal || isForeign))
    return unresolved(reason('already-original'))
  const artifact = await choose(stack, question, source)
  if ('code' in artifact) return unresolved(artifact)
  try {
    return await open.use(
      artifact.contentKey,
      () => openArtifact(artifact),
      (symbols) => ({ frames: resolveFrames(stack, symbols, question.budget) }),
    )
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    return unresolved(reason('symbols-unusable', `The Flutter symbols cannot be read. ${error.message}`))
  }
}

async function choose(
  { os, arch, buildId }: DartStack,
  { service, version, variant }: StackQuestion,
  source: ArtifactSource,
): Promise<FlutterArtifact | Reason> {
  if (!source.findFlutter) return reason('not-resolvable-here', undefined, 'Upload the symbols from the Flutter build.')
  // Search by build id first, because a release can have more files than the limit.
  const named = buildId === undefined ? [] : await source.findFlutter({ service, version, buildId }, MAX_FILES)
  const all = named.length > 0 ? named : await source.findFlutter({ service, version }, MAX_FILES)
  const fitting = all.filter(
    (it) =>
      (os === undefined || it.platform === (SYSTEMS[os] ?? os)) &&
      (arch === undefined || isSameArchitecture(it.arch, arch)) &&
      (variant === undefined || it.flavor === undefined || it.flavor === variant),
  )
  const same = buildId === undefined ? undefined : fitting.find((it) => it.buildId === buildId)
  // Files without an id can belong to any build in the release, so the newest one is used.
  const found = same ?? fitting.find((it) => buildId === undefined || it.buildId === undefined)
  if (found) return found
  const isAtHand = service === '' && version === ''
  if (fitting.length > 0) {
    const ids = fitting.slice(0, 3).flatMap((it) => it.buildId ?? [])
    return reason(
      'build-id-mismatch',
      `The stack contains the build-id ${buildId}, but the uploaded files have ${ids.join(', ')}.`,
    )
  }
  if (all.length === 0) {
    const query = { kind: 'flutter_symbol_file', service, version } as const
    const miss = await explainReleaseMiss(query, 'Flutter symbol file', source)
    return miss.code === 'no-artifact' && !isAtHand ? { ...miss, fix: UPLOAD_IT } : miss
  }
  const what = [os, arch].filter((it) => it !== undefined).join(' ')
  const there = listed(unique(all.map((it) => `${it.platform} ${it.arch}`)))
  if (isAtHand)
    return reason('no-artifact', `The given files contain no Flutter symbols for ${what}, only for ${there}.`, NAME_IT)
  const release = releaseName({ service, version })
  const message = `The Flutter symbols of ${release} were uploaded for ${there}, but not for ${what}.`
  return reason('no-artifact', message, UPLOAD_IT)
}

function deferred(unit: number): Reason {
  const message = `The code is in a deferred component (loading unit ${unit}), whose symbols are not uploaded.`
  return reason('no-artifact', message, 'Run `flutter symbolize` with --unit-id-debug-info.')
}

function unresolvedFrame(frame: DartRawFrame, why: Reason): ResolvedFrame {
  const { offset: _, section: __, virtual: ___, unit: ____, isOriginal = false, isForeign = false, ...raw } = frame
  const own = isForeign ? reason('not-a-project-frame', FOREIGN) : isOriginal ? reason('already-original') : why
  return { ...raw, resolved: null, reason: own }
}

function resolveFrames({ frames, os }: DartStack, symbols: NativeSymbols, budget: Budget | undefined): ResolvedFrame[] {
  const isApple = os === 'ios' || os === 'macos'
  // On iOS, the app is a Mach-O file. The addresses in a Mach-O file differ from those in an ELF file, but the offsets in the instructions
  // are the same. Names in Mach-O files start with an additional underscore.
  const startOf = (names: readonly string[]) =>
    names.map((name) => symbols.addressOf(`_${name}`) ?? symbols.addressOf(name)).find((it) => it !== undefined)
  const starts = new Map<DartRawFrame['section'], number | undefined>()
  for (const { section } of frames) if (!starts.has(section)) starts.set(section, startOf(STARTS[section]))
  return frames.map((frame) => {
    const { offset, section, virtual, unit = ROOT_UNIT, isOriginal = false, isForeign = false, ...raw } = frame
    const why = outOfTime(budget) ?? (unit === ROOT_UNIT ? undefined : deferred(unit))
    if (why || isOriginal || isForeign) return unresolvedFrame(frame, why ?? reason('already-original'))
    const start = starts.get(section)
    const own = isApple && symbols.format === 'elf' ? undefined : virtual
    const address = offset !== undefined && start !== undefined ? start + offset : own
    const found = address === undefined ? [] : symbols.lookUp(address)
    if (found.length > 0) return { ...raw, ...positionOf(found, 'Dart', symbols.hasDebugInfo) }
    const message = `The Flutter symbols contain no entry for ${raw.address}.`
    const fix = 'Check that the symbols are from this exact build.'
    return { ...raw, resolved: null, reason: reason('no-mapping-at-position', message, fix) }
  })
}
