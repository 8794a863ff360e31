import { it } from 'vitest'
import { initToUpload, manifest } from './init-to-upload.ts'

it(
  'a new Vite project: init, doctor, vite build',
  () =>
    initToUpload({
      packages: ['vite'],
      files: {
        'package.json': manifest('vite build', 'vite'),
        'index.html': '<script type="module" src="/src/main.ts"></script>',
        'vite.config.ts':
          "import { defineConfig } from 'vite'\n\n// https://vite.dev/config/\nexport default defineConfig({\n  plugins: [],\n})\n",
      },
      command: ['vite/bin/vite.js', 'build', '--configLoader', 'native'],
    }),
  120_000,
)
