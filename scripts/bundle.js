// node ../../scripts/bundle.js [source file ...], in a package's directory
//
// Empties `dist` and bundles into it what the package exports, its command and the files that are named. Modules that several of them share
// become files of their own; what is installed beside the package is left out. A build that loads the plugin pays for each file that Node
// has to find and compile: with one for each module that was a fifth of all that the plugin added to a build.
import { readFileSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { rolldown } from 'rolldown'

const { exports, bin = {} } = JSON.parse(readFileSync('package.json', 'utf8'))
const exported = Object.values(exports).flatMap((target) => target['symup-source'] ?? [])
const commands = Object.values(bin).map((file) => `./src/${basename(file, '.js')}.ts`)
const entries = [...exported, ...commands, ...process.argv.slice(2)]
rmSync('dist', { recursive: true, force: true })
const bundle = await rolldown({
  input: Object.fromEntries(entries.map((file) => [basename(file, '.ts'), file])),
  platform: 'node',
  external: /^[^./]/,
})
await bundle.write({ dir: 'dist', format: 'esm' })
await bundle.close()
