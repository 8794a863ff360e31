import { expect, it } from 'vitest'
import { symbolicate } from '../../symbolicate.ts'
import { artifactSourceOf } from '../../upload-source.ts'

const release = { service: 'shop', version: '1' }
const SCRIPT = 'total(a){return A.pay(a.b)}'
const MAP = { version: 3, sources: ['lib/cart.dart'], names: ['Cart.total'], mappings: 'AAEGA,gBACKA,MAAM' }

async function explain(column: number, map: object) {
  const content = Buffer.from(JSON.stringify(map))
  const upload = {
    event: { type: 'js_sourcemap', ...release, minified_url: '/main.dart.js', project_path: '', cli_version: '' },
    parts: [
      { name: 'source_map', fileName: 'a.js.map', path: 'a.js.map', bytes: content.length, content },
      { name: 'minified_file', fileName: 'a.js', path: 'a.js', bytes: SCRIPT.length, content: Buffer.from(SCRIPT) },
    ],
  }
  const stack = `Error\n    at Object.cG (https://h/main.dart.js:1:${column})`
  const { frames } = await symbolicate({ stack, ...release }, artifactSourceOf([upload as never]))
  return frames[0]?.resolved
}

it('takes the name of the function from the place in it, as dart2js writes it there', async () => {
  expect(await explain(17, MAP)).toMatchObject({ function: 'Cart.total', file: 'lib/cart.dart', line: 4, column: 9 })
  expect((await explain(23, MAP))?.function).toBeUndefined()
})

it('of other languages, the name there is that of what stands there', async () => {
  const found = await explain(17, { ...MAP, sources: ['lib/cart.ts'] })
  expect(found).toMatchObject({ file: 'lib/cart.ts', line: 4, column: 9 })
  expect(found?.function).not.toBe('Cart.total')
})
