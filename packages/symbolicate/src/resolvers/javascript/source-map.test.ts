import { expect, it } from 'vitest'
import { readableSource } from './source-map.ts'

it.each([
  ['turbopack:///[project]/app/cart.ts', 'app/cart.ts'],
  // Users may have their own directory with this name.
  ['turbopack:///[project]/[project]/page.tsx', '[project]/page.tsx'],
  ['../../[project]/page.tsx', '[project]/page.tsx'],
  ['turbopack:///[turbopack]/browser/runtime.ts', '[turbopack]/browser/runtime.ts'],
  ['webpack://_N_E/./app/cart.js?1a2b', 'app/cart.js'],
  ['../src/main.ts', 'src/main.ts'],
  // webpack writes a # in a directory name like this. Rollup writes a virtual module like this.
  ['webpack://shop/../c\0#d/src/a.js', 'c#d/src/a.js'],
  ['../\0vite/preload-helper.js', 'vite/preload-helper.js'],
  // esbuild writes percent-encoded names.
  ['../app/%28shop%29/%5Bid%5D.tsx', 'app/(shop)/[id].tsx'],
  ['../src/%E9%A1%B5%E9%9D%A2 1%23%3F.ts', 'src/页面 1#?.ts'],
  // All other tools write names without percent-encoding.
  ['../src/50%off.ts', 'src/50%off.ts'],
  ['../src/50%ab.ts', 'src/50%ab.ts'],
  ['../src/größe%20.ts', 'src/größe%20.ts'],
  ['../src/%41%5B.ts', 'src/%41%5B.ts'],
  ['../src/a%0a%5B.ts', 'src/a%0a%5B.ts'],
])('shows %s as %s', (source, shown) => {
  expect(readableSource(source)).toBe(shown)
})
