import { basename } from 'node:path'
import { shownPath } from '../files/shown-path.ts'
import { phrase, t, translated } from '../text.ts'
import { readHead } from './file-content.ts'

const HEAD_BYTES = 4096
/** Matches packages of apps and libraries, and describes where their builds put the symbols. */
const PACKAGES: readonly (readonly [RegExp, string])[] = [
  [
    /\.ipa$/i,
    phrase`The symbols are in the dSYMs of the Xcode archive. Upload the archive with symup ios upload <app>.xcarchive.`,
  ],
  [
    /\.(?:apks?|apkm|xapk)$/i,
    phrase`The native symbols are in app/build/intermediates/merged_native_libs/<variant> or in the app bundle (.aab). Upload the symbols with symup android upload-ndk <path>. The R8 mapping is app/build/outputs/mapping/<variant>/mapping.txt. Upload the mapping with symup android upload-mapping <file>.`,
  ],
  [
    /\.aar$/i,
    phrase`The native symbols are in build/intermediates/merged_native_libs/<variant> in the module of the library. Upload the symbols with symup android upload-ndk <path>.`,
  ],
  [
    /\.(?:hap|hsp|har)$/i,
    phrase`After a release build, the maps and the native symbols are in the project. Upload the symbols with symup harmony upload <project>.`,
  ],
]

/**
 * Returns the fix if none of the files can be uploaded. The fix addresses common mistakes and suggests the right files.
 * @param files absolute paths.
 * @param cwd the base for displayed paths.
 */
export async function notTaken(files: readonly string[], cwd: string): Promise<string | undefined> {
  const ofWindows = files.find((file) => /\.pdb$/i.test(file)) ?? files.find((file) => /\.(?:exe|dll)$/i.test(file))
  if (ofWindows !== undefined) {
    const file = shownPath(ofWindows, cwd)
    return t`${file} is from a Windows build, which symup does not support directly. For native code, convert the PDB with dump_syms, and upload the .sym file with symup electron upload.`
  }
  for (const path of files) {
    const where = PACKAGES.find(([name]) => name.test(path))?.[1]
    if (where !== undefined) return t`${shownPath(path, cwd)} contains stripped code. ${translated(where)}`
  }
  const ofUnity = files.find((file) => basename(file) === 'LineNumberMappings.json')
  if (ofUnity !== undefined) {
    const file = shownPath(ofUnity, cwd)
    return t`${file} is the table that maps Unity's generated C++ to C#. symup does not support this table, so stacks resolve to the generated C++. Upload the native symbols: for Android, the symbols.zip file from Unity (symup android upload-ndk); for iOS, the .xcarchive (symup ios upload).`
  }
  for (const path of files.filter((file) => file.endsWith('.json'))) {
    const head = await readHead(path, HEAD_BYTES).catch(() => Buffer.alloc(0))
    if (!isNameList(head.toString('utf8'), head.length < HEAD_BYTES)) continue
    const file = shownPath(path, cwd)
    return t`${file} looks like the output of Flutter's --save-obfuscation-map, which symup does not support. Stacks resolve with the app.<platform>-<arch>.symbols files from --split-debug-info=<directory>. Upload that directory with symup flutter upload.`
  }
  return undefined
}

/** Returns the fix for an archive that was passed to a command that reads only directories and plain files. */
export function unpackFirst(path: string): string | undefined {
  return /\.zip$/i.test(path) ? t`Unpack the archive, and pass its content.` : undefined
}

const SHORT = /^[\w$@:.]{1,12}$/

/**
 * Recognizes a list in which names alternate with their replacements. Each replacement is either short or identical to the name. Only the
 * start of the list is needed.
 */
function isNameList(head: string, isWhole: boolean): boolean {
  try {
    const list: unknown = JSON.parse(isWhole ? head : `${head.slice(0, head.lastIndexOf('",') + 1)}]`)
    if (!Array.isArray(list) || list.length < 2 || (isWhole && list.length % 2 !== 0)) return false
    const became = (nth: number) => list[nth] === list[nth - 1] || SHORT.test(list[nth])
    return list.every((item, nth) => typeof item === 'string' && (nth % 2 === 0 || became(nth)))
  } catch {
    return false
  }
}
