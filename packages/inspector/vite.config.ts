import symup from '@symup/unplugin/vite'
import { defaultClientConditions, defineConfig } from 'vite'

// If SYMUP_ENDPOINT and SYMUP_API_KEY are set, stacks from errors in the page itself resolve in the intake that serves the page.
export default defineConfig({
  base: '/inspector/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // With the `symup-source` condition, packages are loaded from source and need not be built first.
  resolve: { conditions: ['symup-source', ...defaultClientConditions] },
  build: { outDir: '../intake/inspector', emptyOutDir: true, modulePreload: false, assetsInlineLimit: 0 },
  server: { proxy: { '/inspector/api': 'http://127.0.0.1:8642' } },
  plugins: [symup({ service: 'symup-inspector', version: 'auto', enabled: process.env.SYMUP_ENDPOINT !== undefined })],
})
