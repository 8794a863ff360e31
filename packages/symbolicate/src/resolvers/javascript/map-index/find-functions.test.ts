import { expect, it } from 'vitest'
import { findFunctions } from './find-functions.ts'

/** Each function as `class.name`, ordered by start, with names read from the script. */
const namesIn = (script: string) =>
  findFunctions(script).map(({ name, owner, isConstructor }) => {
    const wordAt = (at: number | undefined) =>
      at === undefined ? '' : (/["\w$#]+/y.exec(script.slice(at))?.[0] ?? '?')
    return `${owner === undefined ? '' : `${wordAt(owner)}.`}${wordAt(name)}${isConstructor ? ' constructor' : ''}`
  })

it.each([
  ['function pay(){}', ['pay']],
  ['const pay=function(){}', ['pay']],
  ['const pay=function own(){}', ['own']],
  ['const pay=()=>1', ['pay']],
  ['pay=()=>1', ['pay']],
  ['shop.pay=()=>1', ['pay']],
  ['shop["pay"]=()=>1', ['"pay"']],
  ['go({pay(){}})', ['pay']],
  ['go({pay:function(){}})', ['pay']],
  ['go({pay:()=>1})', ['pay']],
  ['go({[pay]:()=>1})', ['']],
  ['go({get pay(){return 1}})', ['pay']],
  ['go(()=>1)', ['']],
  ['class Cart{pay(){}}', ['Cart.pay']],
  ['class Cart{static pay=()=>1}', ['Cart.pay']],
  ['class Cart{[pay](){}}', ['Cart.']],
  ['class Cart{constructor(){}}', ['Cart.constructor constructor']],
  ['class Cart{static{go(()=>1)}}', ['']],
  ['const Cart=class{pay(){}}', ['Cart.pay']],
  ['class Cart extends make(()=>1){pay(){}}', ['', 'Cart.pay']],
  ['function one(){function two(){}}function three(){}', ['one', 'two', 'three']],
  ['for(f=()=>1;;);', ['f']],
  ['for(const f=()=>1;;);', ['f']],
  ['function go(f=()=>1){}', ['go', 'f']],
  ['go(one||(()=>1))', ['']],
  ['one||=()=>1', ['one']],
  ['import a from "b";export const f=()=>1', ['f']],
  ['with(a)f=()=>1', ['f']],
  ['#!/usr/bin/env node\nfunction f(){}', ['f']],
  ['return function f(){}', ['f']],
  ['class Cart{pay;total=()=>1}', ['Cart.total']],
  ['this is no script', []],
])('finds the functions in %s', (script, names) => {
  expect(namesIn(script)).toEqual(names)
})

it('finds the function at each position', () => {
  const script = 'function a(){function b(){return ()=>1}function c(){}}function d(){}'
  expect(findFunctions(script).map(({ around }) => around)).toEqual([undefined, 0, 1, 0, undefined])
})

it('finds 300,000 functions in one scope without comparing each name with all others', () => {
  const script = Array.from({ length: 300_000 }, (_, index) => `function f${index}(){}`).join('\n')
  expect(findFunctions(script)).toHaveLength(300_000)
})
