import { basename, dirname, isAbsolute, join } from 'node:path'
import { type BinarySource, openBinary } from '@symup/core/resolving'

export interface Companions {
  /** Opens the `.dwp` file, which contains the split units of all object files. */
  package(): BinarySource | undefined
  /** Yields the files that may be the `.dwo` file with the given name, most likely first. The caller must close each file. */
  split(name: string, compilationDirectory: string | undefined): Iterable<BinarySource>
  /** Yields the files to which `.gnu_debugaltlink` may refer. The caller must close each file. */
  supplement(name: string): Iterable<BinarySource>
}

/** Finds the companion files of a local file. The original build location is searched before the directory of the file. */
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
      // Skip paths that do not exist or are not regular files.
      continue
    }
    yield source
  }
}
