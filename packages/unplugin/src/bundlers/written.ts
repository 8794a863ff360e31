import { isScript } from '@symup/core/internal'
import { type BuildReport, type BundleOutput, outputOf, type Target } from '../output.ts'

/** The part of a bundle that the plugin uses, which is the same in Vite, Rollup and Rolldown. */
interface WrittenBundle {
  [fileName: string]:
    | { type: 'asset'; fileName: string; source?: string | Uint8Array }
    | { type: 'chunk'; fileName: string; sourcemapFileName?: string | null; moduleIds: string[] }
}

/** Matches type declarations and their maps. Type declarations are read only by editors and compilers, and never appear in stacks. */
const DECLARATION = /\.d\.[mc]?ts(?:\.map)?$/

/**
 * Tests whether an asset is a script without a map in a build that generates maps. Such a script was copied or written by a plugin. Workers
 * are assets, too, but have maps.
 */
function isCopied(asset: { fileName: string; source?: string | Uint8Array }, bundle: WrittenBundle): boolean {
  if (!isScript(asset.fileName) || `${asset.fileName}.map` in bundle) return false
  const hasMaps = Object.values(bundle).some((file) => file.type === 'chunk' && file.sourcemapFileName)
  if (!hasMaps) return false
  // Access the source last. On access, Rolldown copies the source and keeps the copy.
  const { source = '' } = asset
  return !/[#@] sourceMappingURL=/.test(typeof source === 'string' ? source : new TextDecoder().decode(source))
}

/** The files that a build has written so far, grouped by output directory. A build may have several outputs, even in the same directory. */
export class Written {
  readonly #outputs = new Map<string, BundleOutput>()
  #declarations = false

  /**
   * @param deletes whether the maps may be deleted after the upload.
   * @returns the output with all files written to the directory so far, or undefined if there are only type declarations.
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
        // Rolldown generates no maps for chunks without user code, such as helpers from a bundler or plugin, and entries that only
        // re-export other chunks.
        output.copied.add(file.fileName)
        continue
      }
      output.files.add(file.fileName)
      if (format !== undefined) output.formats?.set(file.fileName, format)
    }
    return output
  }

  get outputs(): BundleOutput[] {
    return [...this.#outputs.values()]
  }

  /**
   * Returns and removes the written outputs, so that nothing is uploaded twice. Outputs that contain only type declarations are omitted.
   */
  take(): BuildReport & { onlyDeclarations: boolean } {
    const { outputs } = this
    const onlyDeclarations = this.#declarations && outputs.length === 0
    this.#outputs.clear()
    this.#declarations = false
    return { outputs, onlyDeclarations }
  }
}
