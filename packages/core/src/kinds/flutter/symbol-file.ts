import { statSync } from 'node:fs'
import { allAtOnce, BinaryError, type BinarySource, type Steps, withBinary } from '../../formats/binary.ts'
import { elfSteps } from '../../formats/elf/elf.ts'
import { describeMachO, type MachOSlice } from '../../formats/mach-o/mach-o.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { t } from '../../text.ts'
import { checkNativeLibrary, libraryProblem } from '../ndk/native-library.ts'

/** A file that `flutter build --split-debug-info` wrote: ELF, or, as newer Flutter writes for iOS and macOS, Mach-O as in a dSYM. */
interface FlutterSymbols {
  format: 'elf' | 'mach-o'
  /** In the wire's words. */
  arch: string
  /** As the Dart runtime prints it: of a Mach-O file the UUID, in lower case and without dashes. */
  buildId?: string
  hasDebugInfo: boolean
  hasSymbols: boolean
}

/** Apple's name of an architecture in the wire's words. */
export const wireArch = (arch: string): string => (arch === 'x86_64' ? 'x64' : arch)

/** @throws BinaryError when it is neither, truncated or damaged. */
export function describeFlutterSymbols(source: BinarySource): FlutterSymbols {
  return allAtOnce(flutterSymbolSteps(source))
}

/** The same in steps. @throws BinaryError as {@link describeFlutterSymbols}. */
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

/** What is known of a symbol file, and what stands between it and a resolved stack. */
export interface FlutterSymbolsCheck {
  /** Absent when the file cannot be read. */
  symbols?: FlutterSymbols
  /** Size of the file. */
  bytes: number
  /** Only `error` ones make it useless to upload. */
  problems: Problem[]
}

/** That a file has no build-id, as older ones for iOS have none, is not a fault. @param path where it is. @param file how the user would name it. */
export async function checkFlutterSymbols(path: string, file: string): Promise<FlutterSymbolsCheck> {
  let bytes = 0
  let symbols: FlutterSymbols
  try {
    bytes = statSync(path).size
    symbols = withBinary(path, describeFlutterSymbols)
  } catch (error) {
    const why = libraryProblem(error, file)
    if (why.code !== 'native-not-elf') return { bytes, problems: [why] }
    const message = t`It is neither an ELF nor a Mach-O file.`
    return { bytes, problems: [problem('native-not-elf', message, { file, fix: fix() })] }
  }
  if (symbols.format === 'mach-o') {
    const { hasSymbols, hasDebugInfo } = symbols
    return { symbols, bytes, problems: hasDebugInfo ? [] : [hasSymbols ? lineless(file) : stripped(file)] }
  }
  const { problems } = await checkNativeLibrary(path, file)
  return { symbols, bytes, problems: problems.filter(({ code }) => code !== 'build-id-missing') }
}

function stripped(file: string): Problem {
  return problem('native-stripped', t`It has neither a symbol table nor debug information.`, { file, fix: fix() })
}

function lineless(file: string): Problem {
  const table = t`a symbol table`
  const message = t`It has ${table} but no debug information: stacks get function names, no files and lines.`
  return problem('debug-info-missing', message, { file, fix: fix() })
}

const fix = () => t`Build with --split-debug-info=<directory> (and --obfuscate, if wanted), and give that directory.`
