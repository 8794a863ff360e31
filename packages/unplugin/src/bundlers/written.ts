import type { BuildOutput } from '../session.ts'

/** The part of a Rollup-like bundle that matters here; Vite, Rollup and Rolldown agree on it. */
interface WrittenBundle {
  [fileName: string]: { type: 'asset' | 'chunk'; fileName: string; sourcemapFileName?: string | null }
}

/** An output in which nothing has been written yet. */
export function emptyOutput(directory: string): BuildOutput {
  return { directory, files: new Set(), mapOf: new Map(), deletable: new Set() }
}

/** What a build has written so far, by output directory: a build may have several outputs, and two may share a directory. */
export class Written {
  readonly #outputs = new Map<string, BuildOutput>()

  /** @param deletes whether the maps among these files may be deleted once they are uploaded. */
  add(directory: string, bundle: WrittenBundle, deletes: boolean): void {
    const output = this.#outputs.get(directory) ?? emptyOutput(directory)
    this.#outputs.set(directory, output)
    for (const file of Object.values(bundle)) {
      output.files.add(file.fileName)
      if (file.type === 'chunk' && file.sourcemapFileName) output.mapOf.set(file.fileName, file.sourcemapFileName)
      if (deletes && file.type === 'asset') output.deletable.add(file.fileName)
    }
  }

  /** Hands over what was written and forgets it, so that nothing is uploaded twice. */
  take(): BuildOutput[] {
    const taken = [...this.#outputs.values()]
    this.#outputs.clear()
    return taken
  }
}
