// Bundles the exports of a package, its command and the given files. Run it in the package's directory: node ../../scripts/bundle.js
// [source file ...] Node has to find and compile every file that it loads. When each module was a separate file, this accounted for a fifth
// of the time that the plugin added to a build. Installed packages are bundled only if they are listed under `inlined` in package.json.
// Such packages may have hundreds of modules.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'

const { exports, bin = {}, inlined = [] } = JSON.parse(readFileSync('package.json', 'utf8'))
const exported = Object.values(exports).flatMap((target) => target['symup-source'] ?? [])
const commands = Object.values(bin).map((file) => `./src/${basename(file, '.js')}.ts`)
const entries = [...exported, ...commands, ...process.argv.slice(2)]
const bundle = await rolldown({
  input: Object.fromEntries(entries.map((file) => [basename(file, '.ts'), file])),
  platform: 'node',
  external: (id, importer) =>
    isBuiltin(id) || (/^[^./]/.test(id) && !inlined.includes(id) && !importer?.includes('node_modules')),
})
// Comments are kept only in `src` and in the types. Node would have to read comments in the bundle at each start.
const comments = { legal: true, annotation: true, jsdoc: false }
const { output } = await bundle.generate({ format: 'esm', sourcemap: true, comments })
await bundle.close()

mkdirSync('dist', { recursive: true })
// Does not rewrite unchanged files, because they may be in use.
for (const { fileName, code, source } of output) {
  const path = join('dist', fileName)
  const text = code ?? withoutSources(source)
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text)
}
if (inlined.length > 0) writeFileSync('dist/licenses.txt', licensesOf(output))
for (const [name, target] of Object.entries(exports)) {
  if (target.require) writeCommonJs(basename(name), target['symup-source'])
}
const names = new Set(output.map(({ fileName }) => fileName))
for (const name of readdirSync('dist', { recursive: true })) {
  if (/\.js(?:\.map)?$/.test(name) && !names.has(name)) rmSync(join('dist', name))
}

/** Returns the licenses of the bundled packages. Copies of these packages must include them. */
function licensesOf(chunks) {
  const found = new Map()
  for (const id of chunks.flatMap(({ moduleIds = [] }) => moduleIds)) {
    const [, directory, name] = /^(.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+))/.exec(id) ?? []
    if (directory !== undefined) found.set(name.replace('\\', '/'), directory)
  }
  const texts = [...found].sort().map(([name, directory]) => {
    const file = readdirSync(directory).find((it) => /^licen[cs]e/i.test(it))
    return `${name}\n\n${readFileSync(join(directory, file), 'utf8')}`
  })
  return texts.join('\n')
}

/** Removes the sources from a map, because the package contains `src`. */
function withoutSources(map) {
  const { sourcesContent: _, ...rest } = JSON.parse(map)
  return JSON.stringify(rest)
}

/**
 * Writes a CommonJS file for `require()`. Some config loaders (Vite 5, jiti) reject ESM under a package's `require` condition, although
 * Node can load it. TypeScript without `esModuleInterop` compiles a default import to `require(…).default`.
 */
function writeCommonJs(name, source) {
  const own = `import('./${name}.js', { with: { 'resolution-mode': 'import' } })`
  const text = readFileSync(source, 'utf8')
  const [, named] = /^export \{ (\w+) \}$/m.exec(text) ?? []
  const names = named === undefined ? ['default'] : ['default', named]
  const assigned = names.map((it) => `module.exports.${it} = module.exports\n`).join('')
  writeFileSync(join('dist', `${name}.cjs`), `module.exports = require('./${name}.js')\n${assigned}`)
  const [, exported] = /^export type \{ ([^}]+) \} from/m.exec(text)
  const types = `declare const plugin: typeof ${own}.default${named === undefined ? '' : ` & { ${named}: typeof ${own}.default }`}
declare namespace plugin {
${exported
  .split(', ')
  .map((type) => `  type ${type} = ${own}.${type}\n`)
  .join('')}}
export = plugin
`
  writeFileSync(join('dist', `${name}.d.cts`), types)
}
