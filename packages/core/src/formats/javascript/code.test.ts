import { expect, it } from 'vitest'
import { hasCode, readingsOf, withinTemplate, withoutLiterals } from './code.ts'

it.each([
  ["a('b.c(d)',`ef`)", "a('      ',`  `)"],
  ["x='it\\'s'+y", "x='     '+y"],
  ['a/b/c', 'a/b/c'],
  ['(/[/"]x/g.test(y))', '(       g.test(y))'],
  ['a=1/*b(c)*/;d()', 'a=1        ;d()'],
  ['a() // b()\nc()', 'a()       \nc()'],
  ['JSON.parse(`{"a":".b("', 'JSON.parse(`          '],
])('blanks literals and comments: %s', (text, code) => {
  expect(withoutLiterals(text)).toBe(code)
  expect(withoutLiterals(text)).toHaveLength(text.length)
})

it.each([
  ['', false],
  ['/* made by a tool */\n// and signed', false],
  ['import{a as e,t}from"./app.js";export{e as one,t as two};', false],
  ["import './a.js'\nimport * as b from './b.js'\nexport * from './c.js'\nexport { b }\n", false],
  ['"use strict";export{default}from"./a.js"', false],
  ['export * as ns from "./a.js";export{};', false],
  ['import{a}from"./a.js";a();', true],
  ['export default 1', false],
  ['export const a=1;', false],
  // Rolldown writes no source map for an icon module.
  ['var e={width:24,"view-box":1.5,body:`<path d="M8 (12)"/>`,tags:[`a`,!0,-1]};export{e as default};', false],
  ['const a="1",b=[`x`,a,null];export{a,b}', false],
  ['const a=JSON.parse(`{"a":["b(c)"]}`);export{a as messages};', false],
  ['const a=JSON.parse(b);export{a}', true],
  ['const a=JSON.parse("1",b);export{a}', true],
  ['var e={a:b.c};export{e}', true],
  [`var e={a:\`\${b}\`};export{e}`, true],
  ['var e=[b[0]];export{e}', true],
  ['var e={[a]:1};export{e}', true],
  ['var e=()=>1;export{e}', true],
  ['var e=new A;export{e}', true],
  ['var e={a(){}};export{e}', true],
  ['var e=await a;export{e}', true],
  ['class A{}export{A}', true],
  ['var e={a:1};throw e', true],
  ['import("./a.js")', true],
  ['self.x={a:"b"}', true],
  // uni-app turns the images on a page into a script.
  ['"use strict";exports._imports_0="/static/logo.png";', false],
  [
    '"use strict";Object.defineProperty(exports,Symbol.toStringTag,{value:"Module"});exports.a="x",exports.b="y";',
    false,
  ],
  ['Object.defineProperty(exports, "__esModule", { value: true }); module.exports = { a: 1 }', false],
  ['exports.a=()=>1', true],
  ['exports.a=require("./b.js")', true],
  ['exports.a=b.c', true],
  ['Object.defineProperty(exports,"a",{get(){return b()}})', true],
])('%s: %s', (text, expected) => {
  expect(hasCode(text)).toBe(expected)
})

it.each([
  ...[...'(,=:[!&|?{};+-*%~^<>'].map((before) => `a${before}`),
  ...['return', 'typeof', 'case', 'in', 'of', 'throw', 'void', 'delete', 'do', 'else'].map((word) => `${word} `),
  'a;return ',
  '',
])('reads a slash after %j as the start of a regular expression', (before) => {
  expect(withoutLiterals(`${before}/"x/`)).toBe(`${before}    `)
})

it.each(['a', 'a)', 'a]', '1', 'xreturn', 'a.b '])('reads a slash after %j as a division', (before) => {
  expect(withoutLiterals(`${before}/b/c`)).toBe(`${before}/b/c`)
})

it.each([
  ['=/[/]x/', '=      '],
  ['=/\\/x/', '=     '],
  ['=/x\n/', '=/x\n/'],
  ['=/x', '=/x'],
  ['"a\\"b"c', '"    "c'],
  ['"a', '" '],
  ['"', '"'],
  ['"" + a', '"" + a'],
  ['a/*b', 'a   '],
  ['a/*/b*/c', 'a      c'],
  ['a//', 'a  '],
])('handles a missing or hidden end of a literal: %j', (text, code) => expect(withoutLiterals(text)).toBe(code))

it.each<[string, string[]]>([
  ['a("b")', ['a(" ")']],
  ['`a` + `b`', ['` ` + ` `']],
  ['b` + "c"', ['b`      ', ' ` + " "']],
  ['\\`b', ['\\` ']],
])('considers that %j may begin inside a template', (piece, readings) => expect(readingsOf(piece)).toEqual(readings))

it.each([
  ['a("b")}<i>c.d()`;e()', 'a(" ")}        `;e()'],
  ['`c.d()`}e`', '`     `} `'],
  ['a(function(){b()}', 'a(function(){b()}'],
  [`{a:1}}{b}\${c}\`+d`, '{a:1}}       `+d'],
])('considers that %j may begin inside braces of a template', (piece, code) => expect(withinTemplate(piece)).toBe(code))

it('allows white space outside ASCII before a regular expression', () => {
  expect(withoutLiterals('=\xa0/"x/')).toBe('=\xa0    ')
})

it('examines the whole text even if it exceeds 1 MiB', () => {
  const much = 'a();'.repeat(300_000)
  expect(withoutLiterals(`${much}b("c")`)).toBe(`${much}b(" ")`)
})

it('does not scan to the end for each unterminated regular expression', () => {
  const hostile = '=/['.repeat(300_000)
  expect(withoutLiterals(hostile)).toBe(hostile)
})

it('reads the blanks after a statement only once', () => {
  expect(hasCode(`export${' '.repeat(900_000)}a`)).toBe(false)
})

it.each(['import ', 'export {', 'export * as a ', 'import{a}', 'export a,b from '])(
  'does not read to the end for each unterminated statement: %s',
  (statement) => {
    expect(hasCode(`${statement.repeat(60_000)};a()`)).toBe(true)
  },
)
