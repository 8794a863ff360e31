import { build } from 'esbuild'
import { rollup } from 'rollup'
import { minify } from 'terser'

/** Modules with typical code: texts with quotes and escapes, other alphabets, both line endings, comments. */
const MODULES: Readonly<Record<string, string>> = {
  'main.js': `import { Cart } from './cart.js'
import { label } from './text.js'

export function checkout(items) {
  const cart = new Cart(items)
  if (cart.isEmpty()) throw new RangeError("nothing in \\"the cart\\"")
  return cart.items.map((item) => label(item.name, cart.totalOf(item)))
}
`,
  'cart.js': `/** Holds items. */\r\nexport class Cart {\r\n  constructor(items) {\r\n    this.items = items.filter(Boolean)\r\n  }\r\n
  isEmpty() { return this.items.length === 0 }
  totalOf({ price, count = 1 }) {
    const total = price * count
    if (Number.isNaN(total)) throw new TypeError(\`no price: \${JSON.stringify({ price })}\`)
    return total
  }\r\n}\r\n`,
  'text.js': `const SIGNS = { '€': 'Größe', "\\u00fc\\\\": '数量', emoji: '😀 \\ud83d\\ude00' }
export const label = (name, total) => Object.entries(SIGNS).reduce((text, [from, to]) => text.replaceAll(from, to), \`\${name}\\t\${total}\`)
console.debug(/["'\\\\/]{2,}/.test(label('a', 1)) ? 'yes' : "no")
`,
}

/** Maps from esbuild, Rollup and terser, and index maps built from them. */
export async function realMaps(): Promise<Buffer[]> {
  const plain = (await withEsbuild(false)).map
  const minified = (await withEsbuild(true)).map
  const bundle = await rollup({
    input: 'main.js',
    plugins: [{ name: 'modules', resolveId: nameOf, load: (id) => MODULES[id] }],
  })
  const { output } = await bundle.generate({ sourcemap: true })
  const [{ code, map }] = output
  const tersed = await minify(code, { module: true, sourceMap: { content: String(map), includeSources: true } })
  const maps = [plain, minified, String(map), String(tersed.map)]
  const section = (line: number, column: number, text: string) => ({ offset: { line, column }, map: JSON.parse(text) })
  const index = { version: 3, sections: [section(0, 0, minified), section(0, 300, minified), section(4, 7, plain)] }
  const nested = { version: 3, sections: [section(2, 0, JSON.stringify(index)), section(90, 1, String(map))] }
  return [...maps, JSON.stringify(index), JSON.stringify(nested, undefined, 2)].map((text) => Buffer.from(text))
}

async function withEsbuild(isMinified: boolean) {
  const { outputFiles } = await build({
    entryPoints: ['main.js'],
    bundle: true,
    minify: isMinified,
    charset: isMinified ? 'utf8' : 'ascii',
    sourcemap: 'external',
    format: 'esm',
    outfile: '/out.js',
    write: false,
    plugins: [
      {
        name: 'modules',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /.*/ }, ({ path }) => ({ path: nameOf(path), namespace: 'app' }))
          onLoad({ filter: /.*/ }, ({ path }) => ({ contents: MODULES[path] as string }))
        },
      },
    ],
  })
  const textOf = (suffix: string) => outputFiles.find(({ path }) => path.endsWith(suffix))?.text as string
  return { script: textOf('.js'), map: textOf('.map') }
}

function nameOf(path: string): string {
  return path.replace(/^\.\//, '')
}
