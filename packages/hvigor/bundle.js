// Bundles the plugin and its uploader as CommonJS modules, because hvigor transpiles hvigorfile.ts to CommonJS and loads the plugin with
// `require()` on Node 18. Usage: node bundle.js <directory>
import { copyFileSync, cpSync, mkdirSync } from 'node:fs'
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
  // Code in the bundle reads `../zh` relative to `import.meta.url`. The replacement URL points to a file in `src`, so `zh` is found in the
  // output directory.
  define: { 'import.meta.url': 'moduleUrl' },
  banner: {
    js: "const moduleUrl = require('node:url').pathToFileURL(require('node:path').join(__dirname, 'src', 'text.js')).href",
  },
  // `module.exports` is the plugin function itself. Its properties for named and default imports refer to the same function.
  footer: { js: 'if (module.exports.symup) module.exports = Object.assign(module.exports.symup, module.exports)' },
})
cpSync(join(here, '../core/zh'), join(resolve(out), 'zh'), { recursive: true })
copyFileSync(join(here, 'src/index.d.cts'), join(resolve(out), 'index.d.cts'))
