import { basename } from 'node:path'
import { shownPath } from '../files/shown-path.ts'
import { phrase, t, translated } from '../text.ts'

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
    phrase`After a release build, the source maps and native symbols are in the project directory. Upload them with symup harmony upload <project>.`,
  ],
]

/**
 * Returns the fix if none of the files can be uploaded. The fix addresses common mistakes and suggests the right files.
 * @param files absolute paths.
 * @param cwd the base for displayed paths.
 */
export function notTaken(files: readonly string[], cwd: string): string | undefined {
  const ofWindows = files.find((file) => /\.pdb$/i.test(file)) ?? files.find((file) => /\.(?:exe|dll)$/i.test(file))
  if (ofWindows !== undefined) {
    const file = shownPath(ofWindows, cwd)
    return t`${file} is from a Windows build, which symup does not support directly. For native code, convert the PDB with dump_syms, and upload the .sym file with symup electron upload.`
  }
  for (const path of files) {
    const where = PACKAGES.find(([name]) => name.test(path))?.[1]
    if (where !== undefined) return t`The code in ${shownPath(path, cwd)} is stripped. ${translated(where)}`
  }
  const ofUnity = files.find((file) => basename(file) === 'LineNumberMappings.json')
  if (ofUnity !== undefined) {
    const file = shownPath(ofUnity, cwd)
    return t`${file} is the table that maps Unity's generated C++ to C#. symup does not support this table, so stacks resolve to the generated C++. Upload the native symbols: for Android, the symbols.zip file from Unity (symup android upload-ndk); for iOS, the .xcarchive (symup ios upload).`
  }
  return undefined
}

/** Returns the fix for an archive that was passed to a command that reads only directories and plain files. */
export function unpackFirst(path: string): string | undefined {
  return /\.zip$/i.test(path) ? t`Unpack the archive, and pass its content.` : undefined
}
