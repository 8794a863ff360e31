import { expect, it } from 'vitest'
import { resolvedFrame } from './resolved-frame.fixture.ts'

const SCRIPT = 'function a(){x()}function b(){throw 1}'
const SOURCES = ['pay.ts', 'cart.ts']
const explain = (mappings: string) => {
  const map = { version: 3, sources: SOURCES, names: ['pay', 'checkout'], mappings }
  return resolvedFrame('Error\n    at b (https://h/a.js:1:31)', '/a.js', SCRIPT, map)
}

it('a function is called as its name in the script is mapped', async () => {
  expect(await explain('SAASA,iBCESC,KAAP')).toMatchObject({ file: 'cart.ts', line: 3, function: 'checkout' })
})

it.each([
  ['another source', 'SAASA,qBCEP', { file: 'cart.ts', line: 3 }],
  ['the same source', 'SAASA,qBAEP', { file: 'pay.ts', line: 3 }],
])('one whose name has no mapping is not called as what is before it, in %s', async (_, mappings, place) => {
  const found = await explain(mappings)
  expect(found).toMatchObject(place)
  expect(found?.function).toBeUndefined()
})

it.each([
  ['module.exports = function () { throw 1 }', 'module.exports'],
  ['module.exports.pay = function () { throw 1 }', 'pay'],
  ['Cart.prototype.pay=function () { throw 1 }', 'pay'],
  ['pay.retries == 3', 'pay'],
  ['pay.onError => 3', 'pay'],
])('of CommonJS: %s', async (source, name) => {
  const map = { version: 3, sources: ['cart.js'], sourcesContent: [source], names: [], mappings: 'IAAA,YAAU' }
  const found = await resolvedFrame('Error\n    at b (https://h/a.js:1:18)', '/a.js', 'var a=function(){throw 1}', map)
  expect(found?.function).toBe(name)
})
