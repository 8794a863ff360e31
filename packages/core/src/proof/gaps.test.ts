import { expect, it } from 'vitest'
import type { Coverage, Stretch, Tail } from './coverage.ts'
import { mapFileOf } from './map-file.fixture.ts'
import { scriptOf } from './prove.fixture.ts'
import { findShortfall } from './shortfall.ts'
import { SourceTexts } from './source-texts.ts'

const SOURCE = 'start()\n'

/** The findings for unmapped lines, or for lines after the last mapping of the app's only source. */
function found(
  lines: string[],
  { unmapped = [] as Partial<Stretch>[], tails = [] as Partial<Tail>[], source = SOURCE, name = 'src/0.js' } = {},
) {
  const script = scriptOf(lines.join('\n'))
  const whole = (at: Partial<Tail>) => ({
    line: 0,
    column: 0,
    endLine: at.line ?? 0,
    endColumn: Number.POSITIVE_INFINITY,
    source: 0,
    ...at,
  })
  const coverage = {
    isBeyond: false,
    seen: new Set([0]),
    unmapped: unmapped.map(whole),
    tails: tails.map(whole),
  } as unknown as Coverage
  const texts = new SourceTexts(mapFileOf([source], [], [name]))
  const evidence = { texts, script, coverage, isOwn: [true], names: [name] }
  const { positions, problems } = findShortfall('a.js', evidence, new Set())
  return [
    positions,
    ...problems.map(({ message }) => message.replace(' not mapped to a source. The first unmapped code starts', '')),
  ]
}

const calls = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `e.called${at + from}(1);`).join('')
const table = (count: number) =>
  `x(${Array.from({ length: count }, (_, at) => `parseInt(f(${at + 10}))/0x${at}`).join('+')})`

it.each<[string, unknown[], unknown[]]>([
  ['one call may belong to a wrapper', found([calls(1)], { unmapped: [{}] }), [0]],
  // People also write this code by hand.
  ...['f.initializer.call(t);', 'Object.getOwnPropertySymbols(o);', 'o.propertyIsEnumerable.call(o,k);'].map(
    (mark): [string, unknown[], unknown[]] => [
      `${mark} explains no calls near it`,
      found([mark, calls(6)], { unmapped: [{ line: 1 }] }),
      [6, '6 positions are at line 2, column 1.'],
    ],
  ),
  ...['// node_modules/stripe has no types', '// \\0 ends a record', '// see node_modules/a.js'].map(
    (comment): [string, unknown[], unknown[]] => [
      `"${comment}" is not the name of a module`,
      found([comment, calls(6)], { unmapped: [{ endLine: 1 }] }),
      [6, '6 positions are at line 1, column 1.'],
    ],
  ),
  ...['// node_modules/stripe/a.js', '//#region \\0made-up', '// ../node_modules/@a/b/c.js'].map(
    (comment): [string, unknown[], unknown[]] => [
      `"${comment}" is the name of a module`,
      found([comment, calls(6)], { unmapped: [{ endLine: 1 }] }),
      [0],
    ],
  ),
  // Astro's own compiler ends a server component's map in the middle.
  ...(
    [
      ['// node_modules/astro/components/Picture.astro', [0]],
      ['//#region node_modules/astro/components/Picture.astro', [0]],
      ['// src/components/Picture.astro', [6, '6 positions are at line 3, column 1.']],
    ] as const
  ).map(([comment, actual]): [string, unknown[], unknown[]] => [
    `the partly mapped module of ${comment} has ${actual[0]} calls`,
    found([comment, 'mapped();', calls(6), '// node_modules/b.js', calls(3)], { unmapped: [{ line: 2, endLine: 4 }] }),
    [...actual],
  ]),
  // Modules that Nitro 2 adds to each server: storage, assets, error handling, public files.
  ...[
    "storage.mount('/assets', assets$1);",
    'getItem(id){return Promise.resolve(_assets[id]?_assets[id].import():null)}',
    'await handler(error, event, { defaultHandler });',
    'for(const base in publicAssetBases){if(id.startsWith(base)){return true}}',
  ].map((mark): [string, unknown[], unknown[]] => [
    `${mark} is Nitro's`,
    found([mark, calls(6)], { unmapped: [{ endLine: 1 }] }),
    [0],
  ]),
  [
    'code after a Nitro module belongs to the app',
    found(['// node_modules/a.js', 'mapped();', calls(6), '// src/cart.js', calls(3)], {
      unmapped: [{ line: 2, endLine: 4 }],
    }),
    [3, '3 positions are at line 3, column 1.'],
  ],
  ...(
    [
      ['/**\n* @vue/shared v3.4.21\n* (c) 2018-present Yuxi (Evan) You and Vue contributors\n**/', [0]],
      ['const _export_sfc=(sfc)=>sfc;\n/**\n* @vue/shared v3.4.21\n* (c) 2018-present Yuxi You\n**/', [0]],
      ['/**\n* shop v3.4.21\n* (c) 2018-present Somebody\n**/', [6, '6 positions are at line 1, column 1.']],
    ] as const
  ).map(([comment, actual]): [string, unknown[], unknown[]] => [
    `there are ${actual[0]} calls after ${comment}`,
    found(['"use strict";', comment, calls(6)], { unmapped: [{ endLine: 5 }] }),
    [...actual],
  ]),
  // uni-app writes this code for the components on a page. It may be minified or not.
  ...[
    'if(!Array){((()=>"../components/a.js")+e.resolveComponent("layout-b"))()}',
    'if (!Array) {\n  const _easycom_a2 = vendor.resolveComponent("a");\n  _easycom_a2();\n}',
    'Math||((()=>"../a.js")+(()=>"../b.js"))();',
    'if (!Math) {\n  (_easycom_a + Cart.called())();\n}',
  ].flatMap((code): [string, unknown[], unknown[]][] => [
    [`${code} never runs`, found([code], { unmapped: [{ endLine: 3 }] }), [0]],
    [
      `${code} explains no calls beside it`,
      found([`${code}${calls(6)}`], { unmapped: [{ endLine: 3 }] }),
      [6, '6 positions are at line 1, column 1.'],
    ],
  ]),
  // dart2js adds this code around and inside the code of an app.
  ...[
    '(function dartProgram(){',
    'function installTearOff(a,b){var s=tearOffParameters(a,b)}',
    'm(a){if(typeof a=="symbol")return J.n.prototype}',
    'v.dispatchPropertyName=t("dispatch_record")',
    'if(typeof dartMainRunner==="function"){dartMainRunner(s,[])}',
    '$1(a){return this.a.$1$1(a,this.$ti.y[0])},',
  ].map((mark): [string, unknown[], unknown[]] => [mark, found([mark + calls(6)], { unmapped: [{}] }), [0]]),
  [
    'the code of a Dart app is not a helper',
    found([`k(a,b){return a instanceof A.pR&&this.$ti.c===b}${calls(6)}`], { unmapped: [{}] }),
    [6, '6 positions are at line 1, column 1.'],
  ],
  [
    'two unmapped calls are reported',
    found([calls(2)], { unmapped: [{}] }),
    [2, '2 positions are at line 1, column 1.'],
  ],
  [
    'the first range is reported with the number of other ranges',
    found([calls(2), calls(3), calls(4)], {
      unmapped: [{ line: 2 }, { line: 1, column: 12 }, { line: 1, column: 0, endColumn: 4 }],
    }),
    [6, '6 positions are at line 2, column 13.'],
  ],
  [
    'several ranges on one line are counted',
    found([calls(6)], { unmapped: [{ column: 36 }, { column: 0, endColumn: 24 }] }),
    [5, '5 positions are at line 1, column 1.'],
  ],
  [
    'a template is text up to its braces',
    found(['a=`', calls(3), `<i>\${b}</i>\``], {
      unmapped: [{ line: 1, before: { line: 0, column: 2 }, endLine: 2, endColumn: 5 }],
    }),
    [0],
  ],
  [
    'a nested template and the rest of the outer one are text',
    found(['a=`<i>${`', calls(3), `\`}<b>it's`, calls(3), '`'], {
      unmapped: [{ line: 1, before: { line: 0, column: 8 }, endLine: 4 }],
    }),
    [0],
  ],
  [
    'code after both templates is not text',
    found(['a=`<i>${`', '`}<b>', `\`;${calls(3)}`], {
      unmapped: [{ line: 1, before: { line: 0, column: 8 }, endLine: 2 }],
    }),
    [3, '3 positions are at line 2, column 1.'],
  ],
  [
    'code with braces inside a template is not text',
    found(['a=`<i>${b(function(){', `if(c){${calls(3)}}})}<b>it's\``], {
      unmapped: [{ line: 1, before: { line: 0, column: 8 }, endLine: 1 }],
    }),
    [3, '3 positions are at line 2, column 1.'],
  ],
  [
    'a template continues after an expression that began on an earlier line (Docusaurus)',
    found(['a=`<i>${b(c', `,d("e"))};`, calls(3), `f('\${g}')\``], {
      unmapped: [{ line: 2, before: { line: 1, column: 3 }, endLine: 3, endColumn: 5 }],
    }),
    [0],
  ],
  [
    'a template continues even if the next expression is mapped from its `$` (swc)',
    found(['a=`<i>${b(c', `,d("e"))};`, calls(3), `f('\${g}')\``], {
      unmapped: [{ line: 2, before: { line: 1, column: 9 }, endLine: 3, endColumn: 3 }],
    }),
    [0],
  ],
  [
    'a template continues from its start to its first expression',
    found(['a=`<i>', calls(3), `f('\${g}')\``], {
      unmapped: [{ line: 1, before: { line: 0, column: 4 }, endLine: 2, endColumn: 5 }],
    }),
    [0],
  ],
  [
    'helpers for generators belong to no source',
    found(
      [
        `throw new Error("Generator is already running");n.dispatchException(n.arg),n.abrupt("x")`,
        `if(!i)throw Error("try statement without catch or finally");${' '.repeat(2100)}c.dispatchException(o),c.abrupted(o)`,
      ],
      { unmapped: [{ endLine: 1 }] },
    ),
    [0],
  ],
  [
    'helpers for tagged templates belong to no source',
    found(['Object.freeze(Object.defineProperties(e,{raw:{value:Object.freeze(t)}}))'], { unmapped: [{}] }),
    [0],
  ],
  [
    'helpers for legacy decorators belong to no source (Babel)',
    found(
      [
        'function g(e,t){throw new TypeError("@@toPrimitive must return a primitive value.")}function m(e,t,n,r,i){var s={};',
        'return s=n.slice().reverse().reduce(function(n,r){return r(e,t,n)||n},s),i&&void 0!==s.initializer&&(s.value=s.initializer.call(i)),s}',
      ],
      { unmapped: [{ endLine: 1 }] },
    ),
    [0],
  ],
  [
    'calls to helpers in a separate chunk belong to no source (oxc, private fields)',
    found([['c', 'd', 'e'].map((name) => `h._classPrivateFieldInitSpec(this,${name},void 0);`).join('')], {
      unmapped: [{}],
    }),
    [0],
  ],
  [
    'helpers for object rest belong to no source (esbuild, with another minifier)',
    found(
      [
        'a=((e,t)=>{var n={};for(var r in e)h.call(e,r)&&t.indexOf(r)<0&&(n[r]=e[r]);if(null!=e&&s)for(var r of s(e))t.indexOf(r)<0&&p.call(e,r)&&(n[r]=e[r]);return n})(b,["if"])',
      ],
      { unmapped: [{}] },
    ),
    [0],
  ],
  [
    'helpers for object rest belong to no source (TypeScript)',
    found(
      [
        'for(var r in e)Object.prototype.hasOwnProperty.call(e,r)&&t.indexOf(r)<0&&(n[r]=e[r]);for(r=Object.getOwnPropertySymbols(e);i<r.length;i++)t.indexOf(r[i])<0&&(n[r[i]]=e[r[i]])',
      ],
      { unmapped: [{}] },
    ),
    [0],
  ],
  [
    'code next to a helper is reported',
    found([`for(var r in e)h.call(e,r)&&t.indexOf(r)<0&&(n[r]=e[r]);${calls(2)}`], { unmapped: [{}] }),
    [2, '2 positions are at line 1, column 1.'],
  ],
  ['four table entries from an obfuscator are not reported', found([table(4)], { unmapped: [{}] }), [0]],
  [
    'five table entries from an obfuscator are reported',
    found([table(5)], { unmapped: [{}] }),
    [5, '5 positions are at line 1, column 1.'],
  ],
  [
    'five table entries after a source belong to another source',
    found([table(5)], { tails: [{}] }),
    [5, '5 positions are at line 1, column 1.'],
  ],
  [
    'five table entries belong to a source with similar code',
    found([table(5)], { tails: [{}], source: 'parseInt(a)' }),
    [0],
  ],
  ['three words that are missing from the source', found([calls(3)], { tails: [{}] }), [0]],
  [
    'four words that are missing from the source',
    found([calls(4)], { tails: [{}] }),
    [4, '4 positions are at line 1, column 1.'],
  ],
  [
    'three words with four occurrences that are missing from the source',
    found([calls(3) + calls(1)], { tails: [{}] }),
    [0],
  ],
  ['four words, one of which is in the source', found([calls(4)], { tails: [{}], source: 'a.called3()' }), [0]],
  [
    'code after the last mapping that also follows the mapped line in the source',
    found(['a();let b=`Some words`;c.setLabel(b)'], {
      tails: [{ originalLine: 0 }],
      source: 'a()\nlet b = `Some words`\nc.setLabel(b)',
    }),
    [3, '3 positions are at line 1, column 1.'],
  ],
  [
    'prose that a compiler turned into strings is not reported',
    found(['a();let b=`<p>Some words of a page</p>`'], {
      tails: [{ originalLine: 0 }],
      source: '<script>a()</script>\n# Some words\nof a page',
      name: 'docs/page.md',
    }),
    [0],
  ],
  [
    'page code is reported',
    found(['a();let b=`Some words`;c.setLabel(d.ofCart)'], {
      tails: [{ originalLine: 0 }],
      source: '<script>a()\nlet b = `Some words`\nc.setLabel(d.ofCart)</script>',
      name: 'docs/page.md',
    }),
    [2, '2 positions are at line 1, column 1.'],
  ],
  [
    'an error text that is in the source',
    found(['throw Error("too many")'], {
      unmapped: [{ within: 0, column: 0, before: { line: 0, column: 0 } }],
      source: 'throw Error("too many")',
    }),
    [1, 'The code that starts at line 1, column 1 is not mapped to a source.'],
  ],
  [
    'an error text that is in the source, but possibly inside a comment',
    found(['throw Error("too many")'], { unmapped: [{ within: 0 }], source: 'throw Error("too many")' }),
    [0],
  ],
  [
    'an error text that is missing from the source',
    found(['a;throw Error("too many")'], { unmapped: [{ within: 0, column: 2 }] }),
    [0],
  ],
])('%s', (_, actual, expected) => {
  expect(actual).toEqual(expected)
})
