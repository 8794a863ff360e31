import { basename, dirname, isAbsolute, join } from 'node:path'
import { type BinarySource, openBinary } from '@symup/core/resolving'

/** Other files of the same build that hold parts of a native file's debug information. */
export interface Companions {
  /** The `.dwp` with all its split units. */
  package(): BinarySource | undefined
  /** Files that may be the `.dwo` of a name, the likeliest first; the caller closes each. */
  split(name: string, compilationDirectory: string | undefined): Iterable<BinarySource>
  /** Files that may be the one of `.gnu_debugaltlink`; the caller closes each. */
  supplement(name: string): Iterable<BinarySource>
}

/** Those of a file on this machine: where the build left them, else beside the file. */
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
      // Not there, or no file: the next place may have it.
      continue
    }
    yield source
  }
}
