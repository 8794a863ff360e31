// hvigor transpiles hvigorfile.ts to CommonJS and `require()`s the plugin on Node 18, so the plugin and what it runs are bundled to CommonJS.
// usage: node bundle.js <directory>
import { copyFileSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'

const [out = 'dist'] = process.argv.slice(2)
const here = import.meta.dirname
mkdirSync(resolve(out), { recursive: true })
await build({
  entryPoints: { index: join(here, 'src/index.ts'), uploader: join(here, 'src/uploader.ts') },
  outdir: resolve(out),
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  target: 'node18',
  format: 'cjs',
  sourcemap: true,
  conditions: ['symup-source'],
  // `module.exports` is the plugin function; it carries itself under both names that an import may ask for.
  footer: { js: 'if (module.exports.symup) module.exports = Object.assign(module.exports.symup, module.exports)' },
})
copyFileSync(join(here, 'src/index.d.cts'), join(resolve(out), 'index.d.cts'))
