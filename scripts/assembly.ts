import { join, resolve } from 'node:path'
import asc from 'assemblyscript/asc'

const core = resolve(import.meta.dirname, '../packages/core')

/** Of each source in `packages/core/assembly`: where its compiled form goes, and how many pages of 64 KiB it needs. It never asks for more. */
const MODULES: Readonly<Record<string, { target: string; pages: number }>> = {
  'deflate.ts': { target: 'src/formats/deflate/deflate.wasm.ts', pages: 48 },
  'javascript.ts': { target: 'src/formats/javascript/kernel.wasm.ts', pages: 48 },
  // A window of 2 MiB, and less than 256 KiB of tables and lists.
  'source-map.ts': { target: 'src/formats/source-map/kernel.wasm.ts', pages: 36 },
}

/** Compiles what is written in AssemblyScript into modules of TypeScript that hold it as text, so that nobody has to build it: path below the root, and text. */
export async function assembledModules(): Promise<[string, string][]> {
  const modules: [string, string][] = []
  for (const [name, { target, pages }] of Object.entries(MODULES)) {
    const wasm = Buffer.from(await compile(name, pages)).toString('base64')
    const lines = [
      `// Made from assembly/${name} by \`npm run docs\`.`,
      '/** A WebAssembly module in base64. */',
      `export const WASM =\n  '${wasm}'\n`,
    ]
    modules.push([join('packages/core', target), lines.join('\n')])
  }
  return modules
}

async function compile(name: string, pages: number): Promise<Uint8Array> {
  let wasm: Uint8Array | undefined
  const options = ['-O3', '--runtime', 'stub', '--enable', 'simd', '--noAssert', '--initialMemory', `${pages}`]
  const { error, stderr } = await asc.main(
    [name, '--outFile', 'out.wasm', '--baseDir', join(core, 'assembly'), ...options],
    {
      writeFile(_, contents) {
        wasm = contents as Uint8Array
      },
    },
  )
  if (error || !wasm) throw new Error(`${name}: ${stderr.toString()}`)
  return wasm
}
