import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { openBinary, readElfLayout } from '../../../packages/core/src/resolving.ts'

const root = resolve(import.meta.dirname, '../../..')

/** A Node program that looks up addresses with our reader. Its arguments are the file and the addresses. */
export function readerProgram(): Promise<string> {
  return program(
    'lookups',
    `import { openBinary } from '${root}/packages/core/src/resolving.ts'
import { openNativeSymbols } from '${root}/packages/symbolicate/src/dwarf/native-symbols.ts'
const [file, ...addresses] = process.argv.slice(2)
const symbols = await openNativeSymbols(openBinary(file))
for (const address of addresses) symbols.lookUp(Number(address))`,
  )
}

/** Addresses in the code of an ELF file; the same ones each time. */
export function randomAddresses(path: string, count: number): string[] {
  const source = openBinary(path)
  const text = readElfLayout(source).sections.find(({ name }) => name === '.text')
  source.close()
  if (!text) throw new Error('it has no code')
  let state = 1
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return `0x${(text.address + Math.floor((state / 2 ** 32) * text.size)).toString(16)}`
  })
}

async function program(name: string, code: string): Promise<string> {
  const outfile = join(root, `node_modules/.cache/symup/bench-lookups/${name}.mjs`)
  await build({
    stdin: { contents: code, resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['symup-source'],
    banner: { js: "import { createRequire as $c } from 'node:module'; const require = $c(import.meta.url)" },
  })
  return outfile
}
