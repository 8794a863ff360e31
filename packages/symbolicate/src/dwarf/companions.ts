import { basename, dirname, isAbsolute, join } from 'node:path'
import { type BinarySource, openBinary } from '@symup/core/resolving'

/** Other files of a build with parts of a native file's debug information. */
export interface Companions {
  /** The `.dwp` with all split units. */
  package(): BinarySource | undefined
  /** Candidates for a `.dwo` by its name, most likely first. The caller closes each one. */
  split(name: string, compilationDirectory: string | undefined): Iterable<BinarySource>
  /** Candidates for the file in `.gnu_debugaltlink`. The caller closes each one. */
  supplement(name: string): Iterable<BinarySource>
}

/** Finds the companions of a local file: in their original build location, otherwise next to the file. */
export function companionsOf(path: string): Companions {
  const directory = dirname(path)
  return {
    package() {
      const [found] = existing([`${path}.dwp`, path.replace(/\.[^./\\]+$/, '.dwp')].filter((it) => it !== path))
      return found
    },
    split: (name, compilationDirectory = directory) =>
      existing([
        isAbsolute(name) ? name : join(compilationDirectory, name),
        ...(isAbsolute(name) ? [] : [join(directory, name)]),
        join(directory, basename(name)),
      ]),
    supplement: (name) => existing([isAbsolute(name) ? name : join(directory, name), join(directory, basename(name))]),
  }
}

function* existing(paths: readonly string[]): Generator<BinarySource> {
  for (const path of new Set(paths)) {
    let source: BinarySource
    try {
      source = openBinary(path)
    } catch {
      // The path is missing or not a file, so try the next one.
      continue
    }
    yield source
  }
}
