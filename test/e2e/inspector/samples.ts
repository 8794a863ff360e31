import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { writeIn } from '../../support/directory.ts'

/** Original files of a small web app: most lines are indented, and there is a library. */
const SOURCES: Readonly<Record<string, string>> = {
  'src/total.ts': `export interface Price {
  amount: number
}

/** Adds up what is in the cart. */
export function total(prices: readonly Price[]): number {
  if (prices.length === 0) {
    throw new RangeError('The cart is empty')
  }
  let sum = 0
  for (const { amount } of prices) sum += amount
  return sum
}
`,
  'src/cart.ts': `import { total, type Price } from './total.ts'

export class Cart {
  readonly #prices: Price[] = []
  checkout(): string {
    const sum = total(this.#prices)
    return \`Total: \${sum.toFixed(2)}\`
  }
}
`,
  'src/main.ts': `import { later } from '../node_modules/later/index.js'
import { Cart } from './cart.ts'

const cart = new Cart()
later(() => {
  console.log(cart.checkout())
})
`,
  'node_modules/later/index.js': `export function later(work) {
  setTimeout(() => work.call(undefined), 10)
}
`,
}

export interface Built {
  script: string
  map: string
  /** `line:column` of a text in the script, counted from 1. */
  at(text: string): string
}

/** Bundles and minifies a source that contains its imports. `lines` of comments before it move its code down. */
export function buildSample(lines = 0): Built {
  const total = `${'// one more line\n'.repeat(lines)}${SOURCES['src/total.ts']}`
  const files = { ...SOURCES, 'src/total.ts': total }
  const script = bundleOf(files)
  const at = (text: string) => {
    const offset = script.code.indexOf(text)
    if (offset === -1) throw new Error(`${text} is not in ${script.code}`)
    const before = script.code.slice(0, offset).split('\n')
    return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
  }
  return { script: script.code, map: script.map, at }
}

function bundleOf(files: Readonly<Record<string, string>>): { code: string; map: string } {
  const directory = mkdtempSync(join(tmpdir(), 'symup-sample-'))
  try {
    for (const [name, content] of Object.entries(files)) writeIn(directory, name, content)
    buildSync({
      absWorkingDir: directory,
      entryPoints: ['src/main.ts'],
      outfile: 'out.js',
      bundle: true,
      minify: true,
      sourcemap: 'external',
      format: 'iife',
    })
    return {
      code: readFileSync(join(directory, 'out.js'), 'utf8'),
      map: readFileSync(join(directory, 'out.js.map'), 'utf8'),
    }
  } finally {
    rmSync(directory, { recursive: true })
  }
}
