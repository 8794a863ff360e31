import type { BundleOutput } from '../output.ts'
import { fileOf } from './webpack-output.ts'
import type { Compilation, Compiler } from './webpack-types.ts'

/** Whether a compiler writes to something else than the disk, as gulp's webpack-stream has it: Node itself is not there. */
export function writesToMemory({ outputFileSystem }: Pick<Compiler, 'outputFileSystem'>): Promise<boolean> {
  return new Promise((resolve) => {
    if (outputFileSystem?.stat) outputFileSystem.stat(process.execPath, (error) => resolve(Boolean(error)))
    else resolve(false)
  })
}

/** An output that nobody will find on the disk, with its content. The maps that are to be deleted are taken out of it before it is written: whoever takes the files puts all of them somewhere. */
export function keptInMemory(emitted: Compilation, output: BundleOutput): BundleOutput {
  const contents = new Map<string, Uint8Array>()
  for (const { name, source } of [...emitted.getAssets()]) {
    const file = fileOf(name)
    contents.set(file, Buffer.from(source.source()))
    if (output.deletable.has(file)) emitted.deleteAsset(name)
  }
  return { ...output, contents }
}
