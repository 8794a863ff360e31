import { expect, it } from 'vitest'
import { resolvedFrame } from './resolved-frame.fixture.ts'

const SCRIPT = 'total(a){return A.pay(a.b)}'
const MAP = { version: 3, sources: ['lib/cart.dart'], names: ['Cart.total'], mappings: 'AAEGA,gBACKA,MAAM' }

const explain = (column: number, map: object) =>
  resolvedFrame(`Error\n    at Object.cG (https://h/main.dart.js:1:${column})`, '/main.dart.js', SCRIPT, map)

it('reads the function name at the position within it, as dart2js writes it there', async () => {
  expect(await explain(17, MAP)).toMatchObject({ function: 'Cart.total', file: 'lib/cart.dart', line: 4, column: 9 })
  expect((await explain(23, MAP))?.function).toBeUndefined()
})

it('treats the name at a position as the name of the code there, in other languages', async () => {
  const found = await explain(17, { ...MAP, sources: ['lib/cart.ts'] })
  expect(found).toMatchObject({ file: 'lib/cart.ts', line: 4, column: 9 })
  expect(found?.function).not.toBe('Cart.total')
})
