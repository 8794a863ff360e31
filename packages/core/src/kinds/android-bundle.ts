import { join, relative } from 'node:path'
import { shownPath } from '../files/shown-path.ts'
import { openZip, type Zip, type ZipEntry } from '../formats/zip/zip.ts'
import type { Plan } from '../model/plan.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import { isNativeLibrary } from './ndk/native-library.ts'
import { unpackingRefusal } from './system-refusal.ts'
import { MAX_ENTRIES, UnpackBudget } from './unpack.ts'

/**
 * The files to unpack from an archive: R8's mapping, the libraries with symbols, or all files. `all` is for archives such as DevEco
 * Studio's `app-symbol.zip`.
 */
export type BundleContent = 'mapping' | 'libraries' | 'all'

const MAX_BYTES = 16 * 1024 ** 3
const MAPPING = 'BUNDLE-METADATA/com.android.tools.build.obfuscation/proguard.map'
/**
 * Matches the symbols that Gradle stores separately (`debugSymbolLevel`). `.dbg` files contain debug information, and `.sym` files contain
 * only the symbol table.
 */
const SYMBOLS = /^BUNDLE-METADATA\/com\.android\.tools\.build\.debugsymbols\/([\w-]+)\/([^/]+\.so)(?:\.dbg|\.sym)?$/
const LIBRARY = /^[^/]+\/lib\/([\w-]+)\/([^/]+\.so)$/

/** Returns whether a file is an app bundle or an archive such as Gradle's `native-debug-symbols.zip`. */
export const holdsLibraries = (file: string): boolean => /\.(?:aab|zip)$/i.test(file)

export const isAppBundle = (file: string): boolean => /\.aab$/i.test(file)

/**
 * Unpacks the requested files into a directory. The mapping is written to `mapping.txt`, and the libraries in a bundle are written to
 * `<abi>/<name>.so`. The libraries in other archives keep their paths, because one archive can contain several builds or several symbol
 * files for a library. Names and sizes in the archive are not trusted.
 * @param file the display name of the bundle in problem messages.
 * @returns the reason why the bundle is unusable, or undefined if it is usable.
 */
export async function unpackBundle(
  path: string,
  directory: string,
  content: BundleContent,
  file: string,
): Promise<Problem | undefined> {
  let zip: Zip | undefined
  try {
    zip = await openZip(path, MAX_ENTRIES)
    const wanted = wantedIn(zip.entries, content, isAppBundle(path))
    if (wanted.size === 0 && content !== 'all') return nothingIn(content, file)
    await new UnpackBudget(MAX_BYTES).unpack(zip, path, wanted, directory)
    return undefined
  } catch (error) {
    const refusal = unpackingRefusal(error, file)
    if (refusal) return refusal
    const { code } = error as NodeJS.ErrnoException
    const why =
      code === 'ENOENT' ? t`The file or directory does not exist.` : t`The archive could not be unpacked (${code}).`
    return problem('file-unreadable', why, { file })
  } finally {
    await zip?.close()
  }
}

function wantedIn(entries: readonly ZipEntry[], content: BundleContent, isBundle: boolean): Map<string, ZipEntry> {
  const files = entries.filter((it) => !it.isDirectory)
  if (content === 'libraries' && isBundle) return librariesIn(files)
  if (content === 'libraries') return byName(files.filter(({ name }) => isNativeLibrary(name)))
  if (content === 'all') return byName(files)
  return new Map(entries.filter(({ name }) => name === MAPPING).map((entry) => ['mapping.txt', entry]))
}

const byName = (entries: readonly ZipEntry[]) => new Map(entries.map((entry) => [entry.name, entry]))

function librariesIn(entries: readonly ZipEntry[]): Map<string, ZipEntry> {
  const found = new Map<string, ZipEntry>()
  for (const pattern of [SYMBOLS, LIBRARY]) {
    for (const entry of entries) {
      const [, abi, name] = pattern.exec(entry.name) ?? []
      const key = `${abi}/${name}`
      if (abi !== undefined && !found.has(key)) found.set(key, entry)
    }
  }
  return found
}

function nothingIn(content: BundleContent, file: string): Problem {
  if (content === 'libraries')
    return problem('no-native-libraries', t`The archive contains no native libraries.`, { file })
  return problem('mapping-invalid', t`The app bundle contains no mapping file because R8 did not shrink its code.`, {
    file,
    fix: t`If the names in the app are not obfuscated, ignore this message. Otherwise, build with \`isMinifyEnabled = true\` and pass the new bundle.`,
  })
}

/**
 * Renames the unpacked files in a plan so that they appear as parts of the bundle.
 * @param path the absolute path of the bundle.
 */
export function asInBundle<P extends Plan>(plan: P, directory: string, path: string, cwd: string): P {
  const file = shownPath(path, cwd)
  const named = (text: string) => text.replaceAll(directory, file).replaceAll(shownPath(directory, cwd), file)
  return {
    ...plan,
    uploads: plan.uploads.map((upload) => {
      const part = upload.parts[0]?.path
      return part?.startsWith(directory) ? { ...upload, from: join(path, relative(directory, part)) } : upload
    }),
    problems: plan.problems.map((found) => ({
      ...found,
      message: named(found.message),
      ...(found.file !== undefined && { file: named(found.file) }),
    })),
  }
}
