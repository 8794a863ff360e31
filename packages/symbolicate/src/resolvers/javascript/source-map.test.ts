import { expect, it } from 'vitest'
import { readableSource } from './source-map.ts'

it.each([
  ['turbopack:///[project]/app/cart.ts', 'app/cart.ts'],
  // A directory of the user's own that is called so.
  ['turbopack:///[project]/[project]/page.tsx', '[project]/page.tsx'],
  ['../../[project]/page.tsx', '[project]/page.tsx'],
  ['turbopack:///[turbopack]/browser/runtime.ts', '[turbopack]/browser/runtime.ts'],
  ['webpack://_N_E/./app/cart.js?1a2b', 'app/cart.js'],
  ['../src/main.ts', 'src/main.ts'],
])('%s is shown as %s', (source, shown) => {
  expect(readableSource(source)).toBe(shown)
})
