import { statSync } from 'node:fs'
import { allAtOnce, BinaryError, type BinarySource, type Steps, withBinary } from '../../formats/binary.ts'
import { elfSteps } from '../../formats/elf/elf.ts'
import { describeMachO, type MachOSlice } from '../../formats/mach-o/mach-o.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { t } from '../../text.ts'
import { checkNativeLibrary, libraryProblem, symbolFlaw } from '../ndk/native-library.ts'

/** An ELF or Mach-O file from `flutter build --split-debug-info`. Newer Flutter versions write Mach-O files for iOS and macOS. */
interface FlutterSymbols {
  format: 'elf' | 'mach-o'
  /** The architecture name that the protocol uses. */
  arch: string
  /** The id that the Dart runtime prints. In Mach-O files, the build id is the UUID in lower case without dashes. */
  buildId?: string
  hasDebugInfo: boolean
  hasSymbols: boolean
}

export const wireArch = (arch: string): string => (arch === 'x86_64' ? 'x64' : arch)

/** @throws BinaryError if the file has another format, or is truncated or damaged. */
export function describeFlutterSymbols(source: BinarySource): FlutterSymbols {
  return allAtOnce(flutterSymbolSteps(source))
}

/**
 * Like {@link describeFlutterSymbols}, but reads the file in steps.
 * @throws BinaryError in the same cases.
 */
export function* flutterSymbolSteps(source: BinarySource): Steps<FlutterSymbols> {
  const slice = machOSlice(source)
  if (!slice) {
    const { arch, buildId, hasDebugInfo, stripped } = yield* elfSteps(source)
    return { format: 'elf', arch, ...(buildId !== undefined && { buildId }), hasDebugInfo, hasSymbols: !stripped }
  }
  const { arch, uuid, hasDwarf: hasDebugInfo, symbolTable } = slice
  return {
    format: 'mach-o',
    arch: wireArch(arch),
    ...(uuid !== undefined && { buildId: uuid.toLowerCase().replaceAll('-', '') }),
    hasDebugInfo,
    hasSymbols: hasDebugInfo || (symbolTable?.count ?? 0) > 0,
  }
}

function machOSlice(source: BinarySource): MachOSlice | undefined {
  try {
    return describeMachO(source)[0]
  } catch (error) {
    if (!(error instanceof BinaryError) || error.flaw !== 'other-format') throw error
    return undefined
  }
}

export interface FlutterSymbolsCheck {
  /** Undefined if the file cannot be read. */
  symbols?: FlutterSymbols
  bytes: number
  /** The file is usable unless one of the problems is an `error`. */
  problems: Problem[]
}

/**
 * Checks a symbol file. A missing build id is not a problem, because older files for iOS do not have a build id.
 * @param file the display name of the file in problem messages.
 */
export async function checkFlutterSymbols(path: string, file: string): Promise<FlutterSymbolsCheck> {
  let bytes = 0
  let symbols: FlutterSymbols
  try {
    bytes = statSync(path).size
    symbols = withBinary(path, describeFlutterSymbols)
  } catch (error) {
    const why = libraryProblem(error, file)
    if (why.code !== 'native-not-elf') return { bytes, problems: [why] }
    const message = t`The file is neither an ELF nor a Mach-O file.`
    return { bytes, problems: [problem('native-not-elf', message, { file, fix: fix() })] }
  }
  if (symbols.format === 'mach-o') {
    const facts = { stripped: !symbols.hasSymbols, hasDebugInfo: symbols.hasDebugInfo }
    const flaw = symbolFlaw(facts, { file, fix: fix() })
    return { symbols, bytes, problems: flaw ? [flaw] : [] }
  }
  const { problems } = await checkNativeLibrary(path, file)
  return { symbols, bytes, problems: problems.filter(({ code }) => code !== 'build-id-missing') }
}

const fix = () => t`Build with --split-debug-info=<directory> (and optionally --obfuscate), and pass that directory.`
