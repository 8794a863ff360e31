// node ../../scripts/bundle.js [source file ...], in a package's directory
//
// Bundles into `dist` what the package exports, its command and the files that are named. Modules that several of them share become files of
// their own; what is installed beside the package is left out. A build that loads the plugin pays for each file that Node has to find and
// compile: with one for each module that was a fifth of all that the plugin added to a build.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'

const { exports, bin = {} } = JSON.parse(readFileSync('package.json', 'utf8'))
const exported = Object.values(exports).flatMap((target) => target['symup-source'] ?? [])
const commands = Object.values(bin).map((file) => `./src/${basename(file, '.js')}.ts`)
const entries = [...exported, ...commands, ...process.argv.slice(2)]
const bundle = await rolldown({
  input: Object.fromEntries(entries.map((file) => [basename(file, '.ts'), file])),
  platform: 'node',
  external: /^[^./]/,
})
const { output } = await bundle.generate({ format: 'esm' })
await bundle.close()
mkdirSync('dist', { recursive: true })
// Somebody may be running what is there: nothing is touched that stays as it is.
for (const { fileName, code } of output) {
  const path = join('dist', fileName)
  if (!existsSync(path) || readFileSync(path, 'utf8') !== code) writeFileSync(path, code)
}
const names = new Set(output.map(({ fileName }) => fileName))
for (const name of readdirSync('dist', { recursive: true })) {
  if (name.endsWith('.js') && !names.has(name)) rmSync(join('dist', name))
}
