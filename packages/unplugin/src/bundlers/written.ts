import type { BuildOutput } from '../session.ts'

/** The part of a Rollup-like bundle that matters here; Vite, Rollup and Rolldown agree on it. */
interface WrittenBundle {
  [fileName: string]: { type: 'asset' | 'chunk'; fileName: string; sourcemapFileName?: string | null }
}

/** What a build has written so far, by output directory: a build may have several outputs, and two may share a directory. */
export class Written {
  readonly #outputs = new Map<string, BuildOutput>()

  add(directory: string, bundle: WrittenBundle): void {
    const output = this.#outputs.get(directory) ?? { directory, files: new Set(), mapOf: new Map() }
    this.#outputs.set(directory, output)
    for (const file of Object.values(bundle)) {
      output.files.add(file.fileName)
      if (file.type === 'chunk' && file.sourcemapFileName) output.mapOf.set(file.fileName, file.sourcemapFileName)
    }
  }

  /** Hands over what was written and forgets it, so that nothing is uploaded twice. */
  take(): BuildOutput[] {
    const taken = [...this.#outputs.values()]
    this.#outputs.clear()
    return taken
  }
}
