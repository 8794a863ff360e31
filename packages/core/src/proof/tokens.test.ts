import { describe, expect, it } from 'vitest'
import { isVirtualSource, named, shownSource } from './sources.ts'
import { tokenAt } from './tokens.fixture.ts'
import { sitesIn } from './unmapped-sites.ts'

// Tests which parts of a script are compared with its sources, and which are ignored because compilers generate them.

const words = (text: string) => text.split(' ')

describe('a token', () => {
  it.each(['throw', 'new', 'switch', 'catch', 'super', 'instanceof', 'delete'])('compares the keyword %s', (word) => {
    expect(tokenAt(`;${word} x`, 1)).toEqual({ kind: 'keyword', word })
    expect(tokenAt(`a.${word}x`, 2)).toEqual({ kind: 'property', word: `${word}x` })
  })

  it.each(
    words(
      'var const function return if for typeof void in this null true undefined async await Object Array Symbol require exports',
    ),
  )('ignores %s, which compilers add or remove', (word) => expect(tokenAt(`;${word} x`, 1)).toBeUndefined())

  it.each(
    words('apply bind call then push length prototype createElement jsxs defaultValue _own $own get set key children'),
  )('ignores a property named %s, which may come from a compiler', (word) => {
    expect(tokenAt(`a.${word}`, 2)).toBeUndefined()
    expect(tokenAt(`{${word}:1`, 1)).toBeUndefined()
    expect(tokenAt(`a.${word}Of`, 2)?.word ?? '').toBe(/^(?:create|jsx|default|_|\$)/.test(word) ? '' : `${word}Of`)
  })

  it.each<[string, number, object | undefined]>([
    ['a.ab', 2, undefined],
    ['a.abc', 2, { kind: 'property', word: 'abc' }],
    ['a.2', 2, undefined],
    // The check compares at most sixteen bytes of a name at once.
    [`a.${'b'.repeat(16)}`, 2, { kind: 'property', word: 'b'.repeat(16) }],
    [`a.hasOwnProperty${'b'.repeat(9)}`, 2, { kind: 'property', word: `hasOwnProperty${'b'.repeat(9)}` }],
    ['a.hasOwnProperty', 2, undefined],
    ['a.b2c', 2, { kind: 'property', word: 'b2c' }],
    [',abc:1', 1, { kind: 'key', word: 'abc' }],
    ['(abc:1', 1, { kind: 'name', word: 'abc' }],
    ['{abc,', 1, { kind: 'name', word: 'abc' }],
    ['{limit:total', 7, { kind: 'name', word: 'total', key: 'limit' }],
    [',limit:total', 7, { kind: 'name', word: 'total', key: 'limit' }],
    ['?limit:total', 7, { kind: 'name', word: 'total' }],
    [`{${'k'.repeat(46)}:total`, 48, { kind: 'name', word: 'total', key: 'k'.repeat(46) }],
    [`{${'k'.repeat(47)}:total`, 49, { kind: 'name', word: 'total' }],
    [';_this', 1, undefined],
    [';_', 1, { kind: 'name', word: '_' }],
    ['new Array(3)', 0, undefined],
    ['new Arrays(3)', 0, { kind: 'keyword', word: 'new' }],
    ['"use strict"', 0, undefined],
    ['"use strictly"', 0, { kind: 'text', word: 'use strictly' }],
    ["'ab'", 0, undefined],
    ["'abc'", 0, { kind: 'text', word: 'abc' }],
    ['`abc${', 0, { kind: 'text', word: 'abc$' }],
    ['"\\n"', 0, undefined],
    [`"${'x'.repeat(40)}"`, 0, { kind: 'text', word: 'x'.repeat(16) }],
    ['größe', 2, undefined],
    ['a', 5, undefined],
  ])('reads a token from %s at %i', (text, at, token) => expect(tokenAt(text, at)).toEqual(token))
})

describe('the throws and calls in a script', () => {
  it.each<[string, unknown[]]>([
    ['throw a', [[0, 'throw']]],
    ['throw new E', [[6, 'new']]],
    ['throw\tnew E', [[6, 'new']]],
    ['throw\nnew E', [[0, 'throw']]],
    ['throws', []],
    ['a.total(', [[2, 'total']]],
    ['a.total \t(', [[2, 'total']]],
    ['a.sum(', []],
    ['a.totalPrice=1', []],
    ['a.createElement(', []],
    ['a.__own(', []],
    ['a.toString(', []],
    // Closure Compiler writes these generators and loops for older runtimes.
    ['$jscomp.iteratorOf(', []],
    ['a.jscomp.iteratorOf(', [[9, 'iteratorOf']]],
    ...['getNextAddressJsc', 'setCatchFinallyBlocks', 'leaveTryBlock', 'jumpToEnd', 'yield'].map(
      (name): [string, unknown[]] => [`a.${name}(`, []],
    ),
    ['a.jumpToCart(', [[2, 'jumpToCart']]],
    ['// throw a\nthrow b', [[11, 'throw']]],
    [' * throw a\n/* throw b\nthrow c', [[22, 'throw']]],
    [`//${'x'.repeat(197)}  throw a`, [[201, 'throw']]],
    [`//${'x'.repeat(197)} throw a`, [[200, 'throw']]],
    [`//${'x'.repeat(196)} throw a`, []],
  ])('finds the throws and calls in %j', (text, expected) => {
    expect(sitesIn(text).map(({ offset, word }) => [offset, word])).toEqual(expected)
  })
})

it.each<[string, string]>([
  ['webpack://shop/./src/cart.ts', 'src/cart.ts'],
  ['webpack:///../src/cart.ts', 'src/cart.ts'],
  ['../../src/cart.ts', 'src/cart.ts'],
  ['src/../cart.ts', 'src/../cart.ts'],
  ['https://h/src/cart.ts', 'src/cart.ts'],
  ['/srv/cart.ts', '/srv/cart.ts'],
])('shows %s as %s', (source, shown) => expect(shownSource(source)).toBe(shown))

it('names three sources, each once, and counts the rest', () => {
  expect(named([])).toBe('')
  expect(named(['a', 'b', 'a', 'c'])).toBe('a, b, c')
  expect(named(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and 2 more')
})

it.each<[string, boolean]>([
  ['', true],
  ['\0plugin', true],
  ['virtual:x', true],
  ['a/virtual:x', true],
  ['(webpack)/buildin', true],
  ['webpack/bootstrap', true],
  ['webpack/runtime/x', true],
  ['webpack/sharing/x', true],
  ['vite/preload-helper.js', true],
  ['vite/modulepreload-polyfill.js', true],
  ['vite/legacy-polyfills', true],
  ['rolldown/runtime.js', true],
  ['_commonjsHelpers.js', true],
  ['external "react"', true],
  ['de.json', true],
  ['de.json5', true],
  ['src/virtuality.ts', false],
  ['src/json.ts', false],
  ['src/a.html', false],
])('decides whether a bundler wrote %j: %s', (source, isVirtual) => expect(isVirtualSource(source)).toBe(isVirtual))
