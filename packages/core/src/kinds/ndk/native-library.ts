import { existsSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { BinaryError } from '../../formats/binary.ts'
import { type ElfFile, readElf } from '../../formats/elf/elf.ts'
import { type Problem, type ProblemDetails, problem } from '../../problems/problems.ts'
import { unreadable } from '../../problems/unreadable.ts'
import { t } from '../../text.ts'

export interface NativeLibraryCheck {
  /** Undefined if the file cannot be read as an ELF file. */
  elf?: ElfFile
  bytes: number
  /** The file is usable unless one of the problems is an `error`. */
  problems: Problem[]
}

/**
 * Returns whether a file is a library or its symbols. `libshop.so.dbg` (from Gradle) and `libshop.so.debug` (from objcopy) contain debug
 * information. `libshop.so.sym` contains only the symbol table.
 */
export const isNativeLibrary = (file: string): boolean => /\.so(?:\.(?:dbg|debug|sym))?$/.test(file)

/** Returns the name of the library on the device, which is `libshop.so` for `libshop.so.dbg` and for Unity's `libshop.dbg.so`. */
export const libraryName = (path: string): string =>
  basename(path).replace(/\.(?:dbg|debug|sym)(?=\.so$)|(?<=\.so)\.(?:dbg|debug|sym)$/, '')

/** Maps ABI directories to the architecture names that the protocol uses. Source: the ABI names of Android and OpenHarmony. */
const ABI_ARCH: Readonly<Record<string, string>> = {
  'armeabi-v7a': 'arm',
  armeabi: 'arm',
  'arm64-v8a': 'arm64',
  x86: 'x86',
  x86_64: 'x64',
  riscv64: 'riscv64',
}

/** Returns the architecture for an ABI directory such as `arm64-v8a`, or undefined for other directories. */
export function archOfAbi(directory: string): string | undefined {
  return Object.hasOwn(ABI_ARCH, directory) ? ABI_ARCH[directory] : undefined
}

/**
 * Checks whether a native library can resolve stacks. The check covers the build id, the symbols, the debug information, and whether the
 * architecture matches the directory.
 * @param file the display name of the file in problem messages.
 */
export async function checkNativeLibrary(path: string, file: string): Promise<NativeLibraryCheck> {
  let bytes = 0
  let elf: ElfFile
  try {
    bytes = statSync(path).size
    elf = await readElf(path)
  } catch (error) {
    return { bytes, problems: [libraryProblem(error, file)] }
  }
  return { elf, bytes, problems: flawsOf(elf, path, file) }
}

export function libraryProblem(error: unknown, file: string): Problem {
  if (!(error instanceof BinaryError)) return unreadable('file-unreadable', error, { file })
  if (error.flaw === 'empty') return problem('file-empty', t`The file is empty.`, { file })
  if (error.flaw === 'other-format') return problem('native-not-elf', t`The file is not an ELF file.`, { file })
  return problem('native-damaged', error.message, { file })
}

/**
 * Returns a problem if a file cannot resolve names or lines.
 * @param hasOnlyMiniDebugInfo whether the file contains MiniDebugInfo instead of a symbol table.
 */
export function symbolFlaw(
  {
    stripped,
    hasDebugInfo,
    hasOnlyMiniDebugInfo = false,
  }: { stripped: boolean; hasDebugInfo: boolean; hasOnlyMiniDebugInfo?: boolean },
  details: ProblemDetails,
): Problem | undefined {
  if (stripped)
    return problem('native-stripped', t`The file contains neither a symbol table nor debug information.`, details)
  if (hasDebugInfo) return undefined
  const message = hasOnlyMiniDebugInfo
    ? t`The file contains MiniDebugInfo but no debug information. Stacks will show function names, but no file names or line numbers.`
    : t`The file contains a symbol table but no debug information. Stacks will show function names, but no file names or line numbers.`
  return problem('debug-info-missing', message, details)
}

function flawsOf(elf: ElfFile, path: string, file: string): Problem[] {
  const problems: Problem[] = []
  if (elf.buildId === undefined) {
    problems.push(problem('build-id-missing', t`The file does not contain a .note.gnu.build-id section.`, { file }))
  }
  const flaw = symbolFlaw({ ...elf, hasOnlyMiniDebugInfo: !elf.hasSymbolTable }, { file })
  if (flaw) problems.push(flaw)
  else if (elf.hasSplitDebugInfo) {
    const packed = [`${path}.dwp`, path.replace(/\.[^./\\]+$/, '.dwp')].find((it) => existsSync(it))
    const message =
      packed === undefined
        ? t`The debug information is in .dwo files, which cannot be uploaded. Stacks will show function names, but no file names or line numbers.`
        : t`The debug information is in ${basename(packed)}, which cannot be uploaded. Stacks will show function names, but no file names or line numbers.`
    const fix = t`Compile with -gno-split-dwarf (in Rust, split-debuginfo = "off") so that the library itself contains the debug information. To resolve stacks on this machine, use symup explain --dir, which reads .dwo and .dwp files.`
    problems.push(problem('debug-info-missing', message, { file, fix }))
  }
  const abi = path.split(/[\\/]/).at(-2) ?? ''
  const promised = archOfAbi(abi)
  if (promised !== undefined && promised !== elf.arch) {
    problems.push(
      problem('arch-mismatch', t`The file was built for ${elf.arch}, but is in the directory ${abi}.`, { file }),
    )
  }
  return problems
}
