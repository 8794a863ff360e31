import type { BundleOutput } from '../output.ts'
import { fileOf } from './webpack-output.ts'
import type { Compilation, Compiler } from './webpack-types.ts'

/** Whether a compiler writes to a custom file system instead of the disk, as in gulp's webpack-stream. */
export function writesToMemory({ outputFileSystem }: Pick<Compiler, 'outputFileSystem'>): Promise<boolean> {
  return new Promise((resolve) => {
    if (outputFileSystem?.stat) outputFileSystem.stat(process.execPath, (error) => resolve(Boolean(error)))
    else resolve(false)
  })
}

/**
 * An output that is not written to disk, with its content. Maps to be deleted are removed before the output is written, because the
 * receiver stores every file.
 */
export function keptInMemory(emitted: Compilation, output: BundleOutput): BundleOutput {
  const contents = new Map<string, Uint8Array>()
  for (const { name, source } of [...emitted.getAssets()]) {
    const file = fileOf(name)
    contents.set(file, Buffer.from(source.source()))
    if (output.deletable.has(file)) emitted.deleteAsset(name)
  }
  return { ...output, contents }
}
