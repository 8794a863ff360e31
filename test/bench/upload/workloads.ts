import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build, type Plugin, transform } from 'esbuild'
import { rolldown } from 'rolldown'
import { fractionsOf } from '../../support/random.ts'

/** A directory of minified files and source maps, like a bundler's output. */
export interface Workload {
  directory: string
  pairs: number
  /** Bytes of the maps. */
  mapBytes: number
  /** SHA-256 of every file, sorted. */
  hashes: string[]
}

const SIZES = {
  /** A large app. */
  M: { pairs: 500, source: 300_000 },
  /** A monorepo. */
  L: { pairs: 2000, source: 220_000 },
  /** One map that is too large to hold in memory. */
  X: { pairs: 1, source: 100_000_000 },
  /** Other scripts, from another bundler. symup is not tuned on them. */
  N: { pairs: 500, source: 300_000 },
} as const

export type Size = keyof typeof SIZES

/** Increase this when the recipe changes, because existing workloads are reused. */
const RECIPE = 3
/** Chunks to bundle at the same time. */
const AT_A_TIME = 4
const root = resolve(import.meta.dirname, '../../..')

/**
 * Creates the workload from the code of the installed packages, or finds it in the cache. The same lock file results in the same workload.
 */
export async function makeWorkload(size: Size, cache: string): Promise<Workload> {
  const lock = createHash('sha256').update(await readFile(join(root, 'pnpm-lock.yaml')))
  const directory = join(cache, `${size}-${RECIPE}-${lock.digest('hex').slice(0, 8)}`)
  if (!existsSync(directory)) {
    const draft = `${directory}.draft`
    await rm(draft, { recursive: true, force: true })
    await mkdir(draft, { recursive: true })
    await bundleChunks(size, draft)
    await rename(draft, directory)
  }
  return describeWorkload(directory)
}

async function describeWorkload(directory: string): Promise<Workload> {
  const names = (await readdir(directory)).sort()
  const hashes: string[] = []
  let mapBytes = 0
  for (const name of names) {
    const bytes = await readFile(join(directory, name))
    if (name.endsWith('.map')) mapBytes += bytes.length
    hashes.push(createHash('sha256').update(bytes).digest('hex'))
  }
  return { directory, pairs: names.length / 2, mapBytes, hashes: hashes.sort() }
}

async function bundleChunks(size: Size, directory: string) {
  const { pairs, source } = SIZES[size]
  const paths = await scripts(size === 'N' ? '.mjs' : '.js')
  const bundle = size === 'N' ? bundleWithRolldown : bundleWithEsbuild
  const random = fractionsOf(size.charCodeAt(0))
  const underWay: Promise<void>[] = []
  let next = 0
  for (let index = 0; index < pairs; index++) {
    // Chunk sizes of real builds span orders of magnitude: many small ones, and a few very large ones.
    const wanted = pairs === 1 ? source : source * Math.exp(1.2 * normal(random) - 0.72)
    const chosen: string[] = []
    for (let bytes = 0; bytes < wanted || chosen.length === 0; next += 1 + Math.floor(random() * 5)) {
      const path = paths[next % paths.length] as string
      const found = await plainScriptBytes(path)
      if (found === 0) continue
      // The same file becomes another module, like two versions of a package.
      chosen.push(`${path}?${next}`)
      bytes += found
    }
    underWay.push(bundle(chosen, join(directory, `chunk-${String(index).padStart(4, '0')}.js`)))
    if (underWay.length === AT_A_TIME) await underWay.shift()
  }
  await Promise.all(underWay)
}

async function bundleWithEsbuild(paths: string[], outfile: string) {
  const imports = paths.map((path) => `require(${JSON.stringify(path)})`).join('\n')
  const result = await build({
    stdin: { contents: imports, resolveDir: root },
    absWorkingDir: root,
    outfile,
    bundle: true,
    minify: true,
    sourcemap: 'linked',
    format: 'cjs',
    platform: 'node',
    logLevel: 'silent',
    write: false,
    plugins: [chosenOnly],
  })
  for (const { path, contents } of result.outputFiles) await writeFile(path, contents)
}

async function bundleWithRolldown(paths: string[], outfile: string) {
  const modules = paths.map((path, nth) => `export * as module${nth} from ${JSON.stringify(path)}`).join('\n')
  const entry = '\0entry'
  const made = await rolldown({
    input: entry,
    treeshake: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'chosen-only',
        resolveId: (id, importer) => (id === entry || importer === entry ? id : { id, external: true }),
        load: (id) => (id === entry ? modules : readFile(id.split('?')[0] as string, 'utf8')),
      },
    ],
  })
  await made.write({ file: outfile, format: 'esm', minify: true, sourcemap: true })
  await made.close()
}

/** Bundles only the chosen files and leaves their imports external. */
const chosenOnly: Plugin = {
  name: 'chosen-only',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/ }, ({ path, importer }) => {
      if (importer !== '<stdin>') return { path, external: true }
      const [file, suffix] = path.split('?')
      return { path: file as string, suffix: `?${suffix}` }
    })
    onLoad({ filter: /.*/ }, async ({ path }) => ({ contents: await readFile(path), loader: 'js' }))
  },
}

const plain = new Map<string, Promise<number>>()

/** Size of a script that esbuild can read on its own; 0 for others. */
function plainScriptBytes(path: string): Promise<number> {
  const known = plain.get(path) ?? checkedBytes(path)
  plain.set(path, known)
  return known
}

async function checkedBytes(path: string): Promise<number> {
  const file = await stat(path)
  if (!file.isFile() || file.size < 500 || file.size > 400_000) return 0
  try {
    await transform(await readFile(path, 'utf8'), { format: path.endsWith('.mjs') ? 'esm' : 'cjs', logLevel: 'silent' })
    return file.size
  } catch {
    // Omit files that are not plain JavaScript (a template, top-level await).
    return 0
  }
}

/**
 * Every script of the installed packages with an extension. Links that pnpm creates next to them are omitted, because
 * they are duplicates or this project's own packages.
 */
async function scripts(extension: string): Promise<string[]> {
  const store = join(root, 'node_modules/.pnpm')
  const names = await readdir(store, { recursive: true })
  return names
    .filter((name) => name.endsWith(extension) && !name.includes('.min.') && !name.startsWith('node_modules/'))
    .sort()
    .map((name) => join(store, name))
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
