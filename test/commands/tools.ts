import { join } from 'node:path'
import { ROOT } from '../support/build-fixture.ts'

/** Where every bundler and its command are installed: fixtures/commands/bundlers/package.json. */
export const INSTALLED = join(ROOT, 'fixtures/commands/bundlers')

/** A bundler's own command, as users have it in `package.json`, and the config from our README. */
export interface Tool {
  name: string
  /** The names of the installed packages, if they differ from the names that the project uses. */
  packages: Readonly<Record<string, string>>
  /** The package with the command, and the command's name; or a program: `node`, or a path. */
  bin: readonly [packageName: string, command: string] | string
  args: readonly string[]
  /** The project's own files in addition to `src`. LEAK marks where a config would define a constant. */
  files: Readonly<Record<string, string>>
  /** The replacement for LEAK in a config that bundles the API key. */
  leak?: string
}

const INDEX = '<!doctype html>\n<script type="module" src="./src/main.js"></script>\n'
const OPTIONS = "service: 'shop', version: '1.2.3'"
const KEY = 'JSON.stringify(process.env.SYMUP_API_KEY)'
const DEFINE = `define: { SHOP_KEY: ${KEY} },`

/** @param major of Vite: 4 to 8. */
function vite(major: number): Tool {
  return {
    name: `vite-${major}`,
    packages: { vite: major === 8 ? 'vite' : `vite-${major}` },
    bin: ['vite', 'vite'],
    args: ['build'],
    files: {
      'index.html': INDEX,
      'vite.config.js': `import symup from '@symup/unplugin/vite'

export default {
  base: '/shop/',
  plugins: [symup({ ${OPTIONS} })],
  LEAK
}
`,
    },
    leak: DEFINE,
  }
}

function rollupLike(name: 'rollup' | 'rolldown', leak: string): Tool {
  return {
    name,
    packages: { [name]: name },
    bin: [name, name],
    args: ['-c'],
    files: {
      [`${name}.config.js`]: `import symup from '@symup/unplugin/${name}'

export default {
  input: 'src/main.js',
  output: { dir: 'dist' },
  LEAK
  plugins: [symup({ ${OPTIONS}, minifiedPathPrefix: '/shop/' })],
}
`,
    },
    leak,
  }
}

function webpackLike(
  name: 'webpack' | 'rspack',
  tool: Pick<Tool, 'packages' | 'bin' | 'args'>,
  devtool = '',
  option = '',
): Tool {
  const core = name === 'webpack' ? 'webpack' : '@rspack/core'
  return {
    name,
    ...tool,
    files: {
      [`${name}.config.cjs`]: `const symup = require('@symup/unplugin/${name}')

module.exports = {
  mode: 'production',
  entry: './src/main.js',
  output: { publicPath: '/shop/' },${devtool}
  plugins: [symup({ ${OPTIONS}${option} }), LEAK],
}
`,
    },
    leak: `new (require('${core}').DefinePlugin)({ SHOP_KEY: ${KEY} })`,
  }
}

export const TOOLS: readonly Tool[] = [
  vite(8),
  vite(7),
  vite(6),
  vite(5),
  // Rollup has no setting that defines a constant.
  rollupLike('rollup', `output: { dir: 'dist', intro: 'const SHOP_KEY = ' + ${KEY} },`),
  rollupLike('rolldown', `transform: { ${DEFINE} },`),
  webpackLike('webpack', {
    packages: { webpack: 'webpack', 'webpack-cli': 'webpack-cli' },
    bin: ['webpack-cli', 'webpack-cli'],
    args: [],
  }),
  webpackLike(
    'rspack',
    {
      packages: { '@rspack/core': '@rspack/core', '@rspack/cli': '@rspack/cli' },
      bin: ['@rspack/cli', 'rspack'],
      args: ['build'],
    },
    // The command sets false if the user sets nothing.
    "\n  devtool: 'hidden-source-map',",
    ', deleteAfterUpload: true',
  ),
  {
    name: 'farm',
    packages: { '@farmfe/core': '@farmfe/core', '@farmfe/cli': '@farmfe/cli' },
    bin: ['@farmfe/cli', 'farm'],
    args: ['build'],
    files: {
      'index.html': INDEX,
      'farm.config.mjs': `import symup from '@symup/unplugin/farm'

export default {
  compilation: { input: { index: './index.html' }, output: { path: 'dist', publicPath: '/shop/' }, persistentCache: false, presetEnv: false, LEAK },
  plugins: [symup({ ${OPTIONS} })],
}
`,
    },
    leak: DEFINE.slice(0, -1),
  },
  {
    name: 'bun',
    packages: {},
    // Bun's own package downloads its program in an install script. This package is one of those that the script chooses from. The command
    // accepts no plugins.
    bin: join(INSTALLED, 'node_modules/@oven/bun-linux-x64-baseline/bin/bun'),
    args: ['build.mjs'],
    files: {
      'build.mjs': `import symup from '@symup/unplugin/bun'

const plugins = [symup({ ${OPTIONS} })]
await Bun.build({ entrypoints: ['src/main.js'], outdir: 'dist', minify: true, publicPath: '/shop/', plugins, LEAK })
`,
    },
    leak: DEFINE.slice(0, -1),
  },
  {
    name: 'rsbuild',
    packages: { '@rsbuild/core': '@rsbuild/core' },
    bin: ['@rsbuild/core', 'rsbuild'],
    args: ['build'],
    files: {
      'rsbuild.config.mjs': `import symup from '@symup/unplugin/rsbuild'

export default {
  source: { entry: { main: './src/main.js' }, LEAK },
  output: { assetPrefix: '/shop/' },
  plugins: [symup({ ${OPTIONS} })],
}
`,
    },
    leak: DEFINE.slice(0, -1),
  },
  {
    name: 'esbuild',
    packages: { esbuild: 'esbuild' },
    bin: 'node',
    args: ['build.mjs'],
    files: {
      'build.mjs': `import symup from '@symup/unplugin/esbuild'
import { build } from 'esbuild'

const plugins = [symup({ ${OPTIONS} })]
await build({ entryPoints: ['src/main.js'], bundle: true, outdir: 'dist', publicPath: '/shop/', plugins, LEAK })
`,
    },
    leak: DEFINE.slice(0, -1),
  },
]
