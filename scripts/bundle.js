// node ../../scripts/bundle.js [--whole] [source file ...], in a package's directory
//
// Bundles into `dist` what the package exports, its command and the files that are named. Modules that several of them share become files of
// their own; what is installed beside the package is left out. A build that loads the plugin pays for each file that Node has to find and
// compile: with one for each module that was a fifth of all that the plugin added to a build.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'

const { exports, bin = {} } = JSON.parse(readFileSync('package.json', 'utf8'))
const exported = Object.values(exports).flatMap((target) => target['symup-source'] ?? [])
const commands = Object.values(bin).map((file) => `./src/${basename(file, '.js')}.ts`)
const given = process.argv.slice(2)
// What is loaded later is worth a file of its own where something starts fast without it: in the command, not in a library.
const isWhole = given.includes('--whole')
const entries = [...exported, ...commands, ...given.filter((it) => it !== '--whole')]
const output = []
for (const group of isWhole ? entries.map((file) => [file]) : [entries]) output.push(...(await bundled(group)))

/** What is exported under another name is loaded from there, so that there is one of each class. */
async function bundled(files) {
  const others = new Map(entries.filter((file) => !files.includes(file)).map((file) => [resolve(file), nameOf(file)]))
  const bundle = await rolldown({
    input: Object.fromEntries(files.map((file) => [nameOf(file), file])),
    platform: 'node',
    external: /^[^./]/,
    checks: { ineffectiveDynamicImport: !isWhole },
    plugins: [
      {
        name: 'other-entries',
        resolveId(id, importer) {
          const name = importer && others.get(resolve(dirname(importer), id))
          return name ? { id: `./${name}.js`, external: true } : null
        },
      },
    ],
  })
  const generated = await bundle.generate({ format: 'esm', sourcemap: true, ...(isWhole && { codeSplitting: false }) })
  await bundle.close()
  return generated.output
}

function nameOf(file) {
  return basename(file, '.ts')
}

mkdirSync('dist', { recursive: true })
// Somebody may be running what is there: nothing is touched that stays as it is.
for (const { fileName, code, source } of output) {
  const path = join('dist', fileName)
  const text = code ?? withoutSources(source)
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text)
}
for (const [name, target] of Object.entries(exports)) {
  if (target.require) writeCommonJs(basename(name))
}
const names = new Set(output.map(({ fileName }) => fileName))
for (const name of readdirSync('dist', { recursive: true })) {
  if (/\.js(?:\.map)?$/.test(name) && !names.has(name)) rmSync(join('dist', name))
}

/** `src` is published beside `dist`. */
function withoutSources(map) {
  const { sourcesContent: _, ...rest } = JSON.parse(map)
  return JSON.stringify(rest)
}

/**
 * A file for who can only `require()`: some loaders of configs (Vite 5's, jiti) look at the name of what a package's `require` condition gives
 * and refuse what is ESM, though Node itself can load it. TypeScript without `esModuleInterop` makes `require(…).default` of a default import.
 */
function writeCommonJs(name) {
  const own = `import('./${name}.js', { with: { 'resolution-mode': 'import' } })`
  writeFileSync(
    join('dist', `${name}.cjs`),
    `module.exports = require('./${name}.js')\nmodule.exports.default = module.exports\n`,
  )
  const types = `declare const plugin: typeof ${own}.default
declare namespace plugin {
  type SymupOptions = ${own}.SymupOptions
  type OnError = ${own}.OnError
}
export = plugin
`
  writeFileSync(join('dist', `${name}.d.cts`), types)
}
