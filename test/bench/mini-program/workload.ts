import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { transform } from 'esbuild'

export const ENTRIES = 5000
export const TOTAL_BYTES = 480 * 1024 * 1024
/** Raise it when the recipe changes. */
const RECIPE = 1
const root = resolve(import.meta.dirname, '../../..')

/**
 * Makes the largest mini program that the limits allow: 5000 scripts with their maps, 480 MB of maps, of the code of the installed packages,
 * or finds it in the cache.
 */
export async function makeWorkload(cache: string): Promise<{ directory: string; bytes: number }> {
  const directory = join(cache, `mini-program-${RECIPE}`)
  if (!existsSync(directory)) {
    const draft = `${directory}.draft`
    await rm(draft, { recursive: true, force: true })
    await mkdir(join(draft, 'packageA/pages'), { recursive: true })
    await mkdir(join(draft, 'pages'))
    await writeFile(join(draft, 'app.json'), JSON.stringify({ subPackages: [{ root: 'packageA', pages: [] }] }))
    await write(await maps(), draft)
    await rename(draft, directory)
  }
  let bytes = 0
  for (const name of await readdir(directory, { recursive: true })) {
    if (name.endsWith('.js.map')) bytes += (await stat(join(directory, name))).size
  }
  return { directory, bytes }
}

async function write(maps: Buffer[], directory: string) {
  let bytes = 0
  for (let index = 0; index < ENTRIES; index++) {
    // Now a small one, now a large one, so that the sum ends where it should.
    const wanted = ((TOTAL_BYTES - bytes) / (ENTRIES - index)) * (0.2 + 1.6 * ((index * 0.618) % 1))
    const map = closest(maps, index === ENTRIES - 1 ? TOTAL_BYTES - bytes : wanted, index)
    bytes += map.length
    const name = join(directory, index % 3 === 0 ? 'packageA/pages' : 'pages', `${index}.js`)
    await writeFile(name, '')
    await writeFile(`${name}.map`, map)
  }
}

/** One of the eight whose size is nearest. */
function closest(maps: Buffer[], bytes: number, index: number): Buffer {
  const at = maps.findIndex(({ length }) => length >= bytes)
  const place = at === -1 ? maps.length - 8 : Math.min(Math.max(0, at - 4), maps.length - 8)
  return maps[place + (index % 8)] as Buffer
}

/** Minified maps of plain scripts, by size. */
async function maps(): Promise<Buffer[]> {
  const store = join(root, 'node_modules/.pnpm')
  const names = (await readdir(store, { recursive: true })).filter((name) => /(?<!\.min)\.js$/.test(name)).sort()
  const made: Buffer[] = []
  for (const name of names) {
    const file = await stat(join(store, name))
    if (!file.isFile() || file.size < 3000 || file.size > 400_000) continue
    try {
      const text = await readFile(join(store, name), 'utf8')
      const { map } = await transform(text, {
        minify: true,
        sourcemap: 'external',
        sourcefile: name,
        logLevel: 'silent',
      })
      made.push(Buffer.from(map))
    } catch {
      // Not plain JavaScript: left out.
    }
  }
  return made.sort((a, b) => a.length - b.length)
}
