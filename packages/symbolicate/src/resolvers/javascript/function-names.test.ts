import { expect, it } from 'vitest'
import { resolvedFrame } from './resolved-frame.fixture.ts'

const SCRIPT = 'function a(){x()}function b(){throw 1}'
const SOURCES = ['pay.ts', 'cart.ts']
const explain = (mappings: string) => {
  const map = { version: 3, sources: SOURCES, names: ['pay', 'checkout'], mappings }
  return resolvedFrame('Error\n    at b (https://h/a.js:1:31)', '/a.js', SCRIPT, map)
}

it('names a function after the mapping of its name in the script', async () => {
  expect(await explain('SAASA,iBCESC,KAAP')).toMatchObject({ file: 'cart.ts', line: 3, function: 'checkout' })
})

it.each([
  ['another source', 'SAASA,qBCEP', { file: 'cart.ts', line: 3 }],
  ['the same source', 'SAASA,qBAEP', { file: 'pay.ts', line: 3 }],
])('does not give a function without a mapped name the name before it, in %s', async (_, mappings, place) => {
  const found = await explain(mappings)
  expect(found).toMatchObject(place)
  expect(found?.function).toBeUndefined()
})

/** The function name follows the first mapping after `lead`. The throw is at the second mapping. */
const nameOf = async (source: string, lead = '') => {
  const map = { version: 3, sources: ['cart.js'], sourcesContent: [source], names: [], mappings: 'AAAA,oBAAA' }
  const script = `${lead}a=function(){${' '.repeat(8 - lead.length)}throw 1}`
  return (await resolvedFrame('Error\n    at b (https://h/a.js:1:24)', '/a.js', script, map))?.function
}

it.each([
  ['module.exports = function () {', 'module.exports'],
  ['module.exports.pay = function () {', 'pay'],
  ['Cart.prototype.pay=function () {', 'pay'],
  ['get(key) {', 'get'],
  ['set: function () {', 'set'],
  ['delete(key) {', 'delete'],
  ['delete key', undefined],
  ['get total() {', undefined],
  ['static of() {', undefined],
  ['function () {', undefined],
])('names the function in %s: %s', async (source, name) => {
  expect(await nameOf(source)).toBe(name)
})

it.each([
  ['var ', 'var pay = function () {', 'pay'],
  ['Cart.x.', 'Cart.x.pay = function () {', 'pay'],
  ['Cart.x.', 'checkout(pay)', undefined],
  ['var ', 'pay = checkout()', undefined],
  ['var ', 'var', undefined],
  ['var ', 'var ', undefined],
])('after %s in the script, reads %s in the source as the name %s', async (lead, source, name) => {
  expect(await nameOf(source, lead)).toBe(name)
})
