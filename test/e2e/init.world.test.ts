import { expect, it } from 'vitest'
import { initToUpload, manifest, type NewProject } from './init-to-upload.ts'

const PROJECTS: Readonly<Record<string, NewProject>> = {
  Vite: {
    packages: ['vite'],
    files: {
      'package.json': manifest('vite build', 'vite'),
      'index.html': '<script type="module" src="/src/main.ts"></script>',
      'vite.config.ts':
        "import { defineConfig } from 'vite'\n\n// https://vite.dev/config/\nexport default defineConfig({\n  plugins: [],\n})\n",
    },
    command: ['vite/bin/vite.js', 'build', '--configLoader', 'native'],
  },
  Rolldown: {
    packages: ['rolldown'],
    files: {
      'package.json': manifest('rolldown -c', 'rolldown'),
      'rolldown.config.js': "export default {\n  input: 'src/main.ts',\n  output: { dir: 'dist' },\n}\n",
    },
    command: ['rolldown/bin/cli.mjs', '-c'],
  },
  Rollup: {
    packages: ['rollup'],
    files: {
      'package.json': manifest('rollup -c', 'rollup'),
      'src/main.js': "export const total = (n) => {\n  if (n < 0) throw new Error('below zero')\n}\ntotal(1)\n",
      'rollup.config.js': "export default { input: 'src/main.js', output: { dir: 'dist' } }\n",
    },
    command: ['rollup/dist/bin/rollup', '-c'],
  },
  Rsbuild: {
    packages: ['@rsbuild/core'],
    files: {
      'package.json': manifest('rsbuild build', '@rsbuild/core'),
      'rsbuild.config.mjs':
        "import { defineConfig } from '@rsbuild/core'\n\nexport default defineConfig({\n  source: { entry: { index: './src/main.ts' } },\n})\n",
    },
    command: ['@rsbuild/core/bin/rsbuild.js', 'build'],
  },
  'an esbuild script': {
    packages: ['esbuild'],
    files: {
      'package.json': manifest('node build.mjs', 'esbuild'),
      'build.mjs':
        "import { build } from 'esbuild'\n\nawait build({ entryPoints: ['src/main.ts'], bundle: true, minify: true, outdir: 'dist' })\n",
    },
    command: ['../build.mjs'],
  },
}

it.each(Object.keys(PROJECTS))('works in a new project with %s: init, doctor, build', async (name) => {
  const project = PROJECTS[name]
  expect(project).toBeDefined()
  if (project) await initToUpload(project)
})
