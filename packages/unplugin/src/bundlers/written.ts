import { isScript } from '@symup/core/internal'
import { type BuildReport, type BundleOutput, outputOf, type Target } from '../output.ts'

/** The part of a Rollup-like bundle that matters here; Vite, Rollup and Rolldown agree on it. */
interface WrittenBundle {
  [fileName: string]:
    | { type: 'asset'; fileName: string; source?: string | Uint8Array }
    | { type: 'chunk'; fileName: string; sourcemapFileName?: string | null; moduleIds: string[] }
}

/** Type declarations and their maps, which editors read: they are the user's, and no stack leads there. */
const DECLARATION = /\.d\.[mc]?ts(?:\.map)?$/

/**
 * Whether a plugin wrote a script that the bundler did not build, and gave it no map: it is copied as it is, like what lies in a public
 * directory. Workers are written so too, with their maps.
 */
function isCopied(asset: { fileName: string; source?: string | Uint8Array }, bundle: WrittenBundle): boolean {
  if (!isScript(asset.fileName) || `${asset.fileName}.map` in bundle) return false
  const hasMaps = Object.values(bundle).some((file) => file.type === 'chunk' && file.sourcemapFileName)
  if (!hasMaps) return false
  // Rolldown copies it when it is asked for, and keeps the copy.
  const { source = '' } = asset
  return !/[#@] sourceMappingURL=/.test(typeof source === 'string' ? source : new TextDecoder().decode(source))
}

/** What a build has written so far, by output directory: a build may have several outputs, and two may share a directory. */
export class Written {
  readonly #outputs = new Map<string, BundleOutput>()
  #declarations = false

  /**
   * @param deletes whether the maps among these files may be deleted once they are uploaded.
   * @returns the output with all that was written into the directory; undefined where the files are type declarations.
   */
  add(
    directory: string,
    bundle: WrittenBundle,
    { deletes = false, target = 'browser', format }: { deletes?: boolean; target?: Target; format?: string } = {},
  ): BundleOutput | undefined {
    const files = Object.values(bundle)
    const own = files.filter(({ fileName }) => !DECLARATION.test(fileName))
    if (files.length > 0 && own.length === 0) {
      this.#declarations = true
      return undefined
    }
    const key = `${target} ${directory}`
    const formats = new Map<string, string>()
    const output = this.#outputs.get(key) ?? outputOf(directory, [], { target, formats })
    this.#outputs.set(key, output)
    for (const file of own) {
      if (file.type === 'asset') {
        if (deletes) output.deletable.add(file.fileName)
        if (isCopied(file, bundle)) output.copied.add(file.fileName)
      } else if (file.sourcemapFileName) {
        output.maps.set(file.fileName, file.sourcemapFileName)
      } else if (file.moduleIds.every((id) => id.startsWith('\0'))) {
        // An entry that only passes on what stands in other chunks, or helpers of the bundler and of plugins: no code of the user's, and in Rolldown no map.
        output.copied.add(file.fileName)
        continue
      }
      output.files.add(file.fileName)
      if (format !== undefined) output.formats?.set(file.fileName, format)
    }
    return output
  }

  /** What was written so far. */
  get outputs(): BundleOutput[] {
    return [...this.#outputs.values()]
  }

  /** Hands over what was written and forgets it, so that nothing is uploaded twice. Outputs of type declarations alone are left out. */
  take(): BuildReport & { onlyDeclarations: boolean } {
    const { outputs } = this
    const onlyDeclarations = this.#declarations && outputs.length === 0
    this.#outputs.clear()
    this.#declarations = false
    return { outputs, onlyDeclarations }
  }
}
