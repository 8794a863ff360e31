import { describe, expect, it } from 'vitest'
import { lineAt, lineStartsOf } from '../files/line-starts.ts'
import { codesOf, proofOf, type Segments } from './prove.fixture.ts'

// Output from published packages that looks like a wrong map. Each position resolves to the right line.

/**
 * Generated code and its original: an index in the source's text. Undefined for code without its own mapping, null
 * for a mapping without a source.
 */
type Piece = readonly [code: string, original?: number | null]

function problemsOf(source: string, pieces: readonly Piece[], name = 'src/a.js', mark = '', content = source) {
  const lines: Segments = [[]]
  const starts = lineStartsOf(source)
  let script = ''
  for (const [code, original] of pieces) {
    const column = script.length - (script.lastIndexOf('\n') + 1)
    if (original === null) lines.at(-1)?.push([column])
    else if (original !== undefined) {
      const line = lineAt(original, starts)
      lines.at(-1)?.push([column, 0, line, original - (starts[line] as number)])
    }
    script += code
    for (let at = code.indexOf('\n'); at !== -1; at = code.indexOf('\n', at + 1)) lines.push([])
  }
  return codesOf(proofOf(mark + script, { version: 3, sources: [name], sourcesContent: [content], mappings: lines }))
}

/** Each token in a text, mapped to itself. */
const tokensOf = (text: string, token = /\w+|[^\w\n]/g) =>
  [...text.matchAll(token)].map(({ 0: code, index }): Piece => [code, index])

const WORDS = Array.from({ length: 24 }, (_, index) => `member${String.fromCharCode(97 + index)}`)

describe('a right map', () => {
  it('accepts missing mappings for code that esbuild adds before a module with an object rest pattern', () => {
    const helper = [
      'var __symbols = Object.getOwnPropertySymbols;',
      'var __isEnum = Object.prototype.propertyIsEnumerable;',
      'var __rest = (from, but) => {',
      '  var rest = {};',
      '  for (var prop in from) if (but.indexOf(prop) < 0) rest[prop] = from[prop];',
      '  for (var prop of __symbols(from)) if (but.indexOf(prop) < 0 && __isEnum.call(from, prop)) rest[prop] = from[prop];',
      '  return rest;',
      '};',
      '',
    ].join('\n')
    const source = `${WORDS.map((word) => `context.${word}(${word}1)`).join(';\n')};\n`
    const made = tokensOf(source, /\w+|\W/g)
    expect(problemsOf(source, [[helper], ...made])).toEqual([])
    const other = helper.replace(/getOwnPropertySymbols|propertyIsEnumerable|indexOf/g, 'lookUp')
    expect(problemsOf(source, [[other], ...made])).toEqual(['map-incomplete'])
  })

  it('accepts shifted maps in Taro’s own packages, because its Vite runner prepends lines to their modules', () => {
    const source = WORDS.map((word) => `context.${word}(app)\n`).join('')
    const script = source.slice(source.indexOf('\n') + 1)
    const made = tokensOf(script, /\w+|\W/g)
    const inPackage = (name: string) => problemsOf(source, made, `../node_modules/${name}/dist/dom.js`)
    expect(inPackage('@tarojs/runtime')).toEqual([])
    expect(inPackage('@shop/runtime')).not.toEqual([])
  })

  it('accepts mappings for each character at the start of a comment, and for no line within it', () => {
    const comment = [
      '  /* as it was:',
      "  if (facing == 'user') {",
      '    context.translate(width, 0)',
      '    context.scale(-1, 1)',
      '  }',
      '  */',
    ]
    const source = [
      'function snap(context, width) {',
      ...comment,
      '  context.clearRect(0, 0, width, width)',
      '}',
      '',
    ].join('\n')
    const inner = source.indexOf('  if (')
    const end = source.indexOf('  */')
    const made = [...source].map(
      (character, at): Piece => [character, /\s/.test(character) || (at >= inner && at < end) ? undefined : at],
    )
    expect(problemsOf(source, made)).toEqual([])
    const code = source.replace('/* as it was:', 'run()').replace('  */', '')
    const unmapped = [...code].map(
      (character, at): Piece => [character, at > 40 && at < code.indexOf('context.clear') ? undefined : at],
    )
    expect(problemsOf(code, unmapped)).toEqual(['map-incomplete'])
  })

  it('accepts a script with a byte order mark, which browsers remove', () => {
    const source = `${WORDS.map((word) => `context.${word}(${word}1)`).join(';\n')};\n`
    const made = tokensOf(source)
    expect(problemsOf(source, made, 'src/a.js', '\ufeff')).toEqual([])
    expect(problemsOf(source, made, 'src/a.js', '!')).toEqual(['map-offset'])
  })

  it('accepts each character mapped to itself, as Vue does, but not to the next one', () => {
    const source = `export function pay(amount) {\n${WORDS.map((word) => `  if (${word} > amount) ${word}(amount, '${word}')\n`).join('')}}\n`
    const made = (by: number) =>
      [...source].map((character, index): Piece => [character, /\s/.test(character) ? undefined : index + by])
    expect(problemsOf(source, made(0))).toEqual([])
    expect(problemsOf(source, made(2))).toEqual(['map-stale'])
  })

  it.each([
    ['the end of the previous code', 0, []],
    // The word is two mappings away, which is too far.
    ['the line before that code', 1, ['map-offset']],
  ])('accepts a shorthand property that a bundler expanded if it maps to %s', (_, more, expected) => {
    const source = `const {\n${WORDS.map((word) => `  ${word},\n`).join('')}} = all\n`
    const keys = WORDS.flatMap((word, index): Piece[] => {
      const before = WORDS[index - 1 - more]
      const end = before ? source.indexOf(before) + before.length : source.indexOf('{')
      return [
        [`${word}:`, end],
        [`v${index},`, source.indexOf(word)],
      ]
    })
    expect(problemsOf(source, [['const{', 0], ...keys, ['}=all\n', source.indexOf('}')]])).toEqual(expected)
  })

  it('accepts a mapping to the end of a shorthand property, at the value of the property', () => {
    const source = `send({\n${WORDS.map((word) => `  ${word},\n`).join('')}})\n`
    const values = WORDS.map(
      (word, index): Piece => [`v${index},${WORDS[index + 1] ?? 'last'}:`, source.indexOf(word) + word.length],
    )
    expect(problemsOf(source, [['send({membera:', 0], ...values, ['0})\n', source.indexOf('}')]])).toEqual([])
  })

  it('accepts a mapping to the end of a member in brackets', () => {
    const source = WORDS.map((word, index) => `all[all["${word}"] = ${index}] = "${word}";\n`).join('')
    const members = WORDS.map(
      (word, index): Piece => [`${word}=${index}]="${word}",e[e.`, source.indexOf(`"${word}"]`) + word.length + 2],
    )
    expect(problemsOf(source, [['e[e.', 0], ...members])).toEqual([])
  })

  it('accepts a mapping for each character', () => {
    const source = WORDS.map((word) => `${word}Of(${word}Given, ${word}All, ${word}Other);\n`.repeat(2)).join('')
    const characters = [...source].map((character, index): Piece => {
      const word = /\w*$/.exec(source.slice(0, index))?.[0] ?? ''
      return [character, index - word.length]
    })
    expect(problemsOf(source, characters)).toEqual([])
  })

  it('accepts an imported name mapped to a member of the imported module', () => {
    const source = 'import { render as show } from "x"\nexport const a = (b) => show(b)\nlog("renders all of it")\n'
    const pieces: Piece[] = [
      ['import*as n from"x";', 0],
      ['export const a=', source.indexOf('a = ')],
      ['t=>', source.indexOf('(b)')],
      ['n.', source.indexOf('show(b)')],
      ['render(', source.indexOf('show(b)')],
      ['t);', source.indexOf('b)\n')],
      ['log("renders all of it")', source.indexOf('log')],
    ]
    expect(problemsOf(source, pieces)).toEqual([])
  })

  it('accepts missing mappings for members, so that imported names seem moved', () => {
    const [imported, members] = [WORDS.slice(0, 6), WORDS.slice(6, 20)]
    const source = [
      ...imported.map((name) => `show(${name}(all))`),
      ...members.map((name) => `show(given.${name}(all))`),
    ].join('\n')
    const pieces = [
      ...imported.flatMap((name): Piece[] => [
        ['s(', source.indexOf(`show(${name}`)],
        [`n.${name}(a));`, source.indexOf(`${name}(`)],
      ]),
      ...members.flatMap((name): Piece[] => [
        ['s(', source.indexOf(`show(given.${name}`)],
        [`t.${name}(a));`, source.indexOf(`given.${name}`)],
      ]),
    ]
    expect(problemsOf(source, pieces)).toEqual([])
  })

  it.each([
    ['an error that is missing from all sources', 'new Error("not found at all")', []],
    ['nothing', 'f()', []],
  ])('accepts %s from a compiler mapped to the code that uses it', (_, made, expected) => {
    const source = 'const path = resolve(here)\nif (!path) throw new Error(`not ` + here)\nexport default path\n'
    const pieces: Piece[] = [
      ['const o=', 6],
      [`(e=>{let f;f=${made};throw f})(`, source.indexOf('resolve')],
      ['here);if(!', source.indexOf('here')],
      ['o)throw ', source.indexOf('path)')],
      ['new Error(`not `+here);', source.indexOf('new Error')],
      ['export default o', source.indexOf('export')],
    ]
    expect(problemsOf(source, pieces)).toEqual(expected)
  })

  it('accepts names that a compiler excluded from an object if they map to the line before', () => {
    const names = WORDS.map((word) => `"${word} of it"`)
    const source = `log(all)\nconst { ${names.map((name) => `${name}: _`).join(', ')}, ...rest } = all\nsend(rest)\n`
    const pieces: Piece[] = [
      ['log(', 0],
      [`all);const x=[${names.join(',')}],`, 4],
      ['rest=omit(all,x);', source.indexOf('rest }')],
      ['send(rest)\n', source.indexOf('send')],
    ]
    expect(problemsOf(source, pieces)).toEqual([])
  })

  it('accepts a helper that makes up most of a source if it maps to the code that uses it', () => {
    const source = 'const { a, ...rest } = given\nexport default rest\n'
    const more = 'namesThatAreNotLeftOut=namesThatAreLeftOut+namesThatAreEnumerable;'.repeat(4)
    const helper = `function(e,t){var r=Object.getOwnPropertySymbols(e);r.forEachOf(t);${more}return r}`
    const pieces: Piece[] = [
      ['const a=', 6],
      [helper, source.indexOf('given')],
      ['(given,["a"]);', source.indexOf('given')],
      ['export default rest', source.indexOf('export')],
    ]
    expect(problemsOf(source, pieces)).toEqual([])
  })

  it('accepts a module with data mapped to a file without its code', () => {
    const source = JSON.stringify(Object.fromEntries(WORDS.map((word) => [word, `{${word}}`])), null, 2)
    const pieces = WORDS.map(
      (word): Piece => [`t.${word}=e=>e.formatted(e.given${word}, e.chosen(e));\n`, source.indexOf(word)],
    )
    expect(problemsOf(source, pieces, 'src/words.json')).toEqual([])
    expect(problemsOf(source, pieces)).toEqual(['map-stale'])
  })

  it('accepts a call of a former plain name mapped to the condition before it', () => {
    const source = (made: string, call: string) =>
      `const ${made} = $props()\nfunction keydown(event) {\n  if (event.key === esc)\n    ${call}()\n  if (event.key === del)\n    ${call}()\n}\nsend(keydown, 1)\n`
    const problems = (text: string) =>
      problemsOf(text, [
        ['function r(t){', text.indexOf('function')],
        ['t.key', text.indexOf('event.key')],
        ['===u', text.indexOf('esc')],
        ['&&n.onClose();', text.indexOf('esc')],
        ['t.key', text.lastIndexOf('event.key')],
        ['===d', text.indexOf('del')],
        ['&&n.onClose()}', text.indexOf('del')],
        ['send(r', text.indexOf('send')],
        [',1)', text.indexOf('1)')],
      ])
    expect(problems(source('{ onClose }', 'onClose'))).toEqual([])
    expect(problems(source('dialog', 'dialog.onClose'))).toEqual(['map-low-resolution'])
  })

  it('accepts texts in a template mapped to the enclosing element', () => {
    const source = (icons: number) =>
      `<Dialog>\n  <Title>\n${'    <Icon />\n'.repeat(icons)}    Your data is safe\n    Nobody else sees it\n  </Title>\n  <Body />\n  <End on={dialog.openIt()} />\n</Dialog>\n`
    const problems = (text: string, name = 'src/Title.svelte') =>
      problemsOf(
        text,
        [
          ['const o=', 0],
          [
            `i(e,{children:(e,n)=>{${'t();'.repeat(12)}r(e,o("Your data is safe"),o("Nobody else sees it"))},$$slots:{default:!0}});`,
            11,
          ],
          ['o(e);', text.indexOf('<Body')],
          ['o(e,dialog.', text.indexOf('dialog.')],
          ['openIt())', text.indexOf('openIt')],
        ],
        name,
      )
    expect(problems(source(1))).toEqual([])
    expect(problems(source(9))).toEqual(['map-low-resolution'])
    expect(problems(source(1), 'src/title.js')).toEqual(['map-low-resolution'])
  })

  describe('a right map for a Vue component', () => {
    // Like Vue's compiler: an attribute is mapped to the next one, an expression to the end of its element, and a
    // call in a handler to the previous line.
    const attributes = WORDS.map((word) => `      :${word}="${word}Value"\n`).join('')
    const source = `<template>\n  <div @click="\n    close.all()">\n    <input\n${attributes}    >\n  </div>\n</template>\n`
    const script = '<script>\nexport default { close: () => dialog.shutAll() }\n</script>\n'
    const pieces = (text: string): Piece[] => [
      ['r("div",{onClick:()=>t.', text.indexOf('<div')],
      ['close.all()},', text.indexOf('@click')],
      ...WORDS.flatMap((word): Piece[] => [
        [`${word}:`, text.indexOf(':', text.indexOf(`:${word}`) + 1)],
        [`t.`],
        [`${word}Value,`, text.indexOf('\n', text.indexOf(`:${word}`)) + 6],
      ]),
      ['x={close:()=>d.', text.indexOf('close:')],
      ['shutAll()}', text.indexOf('shutAll')],
    ]

    it('accepts a template mapped to the surrounding lines', () => {
      expect(problemsOf(source + script, pieces(source + script), 'src/App.vue')).toEqual([])
      expect(problemsOf(source + script, pieces(source + script), 'src/app.js')).not.toEqual([])
    })

    it('expects the script of a Vue component to map to the script block', () => {
      const methods = WORDS.map((word) => `  ${word}() { return call.${word}Of() },\n`).join('')
      const text = `${source}<script>\nexport default {\n  name: 'App',\n${methods}}\n</script>\n`
      const other = (index: number) => WORDS[(7 * index + 3) % WORDS.length]
      const moved = WORDS.flatMap((word, index): Piece[] => [
        [`${word}(){return t.`, text.indexOf(`${other(index)}()`)],
        [`${word}Of()},`, text.indexOf(`${other(index)}Of`)],
      ])
      expect(problemsOf(text, [...pieces(text).slice(0, -2), ...moved], 'src/App.vue')).toEqual(['map-stale'])
    })
  })

  it('accepts each line of a text mapped to its start', () => {
    const calls = (of: string) => WORDS.map((word) => `${of}.${word}Called();\n`)
    const source = `${calls('it').join('')}${calls('other').join('')}const code = \`\n${calls('sheet').slice(0, 9).join('')}\`\n`
    const begin = source.indexOf('`')
    const pieces = [...calls('it'), ...calls('other')].flatMap((line): Piece[] => [
      [line.slice(0, line.indexOf('member')), source.indexOf(line)],
      [line.slice(line.indexOf('member')), source.indexOf(line) + line.indexOf('member')],
    ])
    const text = ['`\n', ...calls('sheet').slice(0, 9), '`\n'].map((line): Piece => [line, begin])
    expect(problemsOf(source, [...pieces, ['const c=', source.indexOf('const')], ...text])).toEqual([])
  })

  it('accepts each text in a list mapped to the line before', () => {
    const source = `draw([\n${WORDS.map((word) => `  '${word}',\n`).join('')}])\n`
    const items = WORDS.map(
      (word, index): Piece => [`"${word}",`, source.indexOf(WORDS[index - 1] ?? '[') - (index > 0 ? 1 : 0)],
    )
    expect(problemsOf(source, [['draw([', 0], ...items, ['])\n', source.indexOf('])')]])).toEqual([])
  })

  it('accepts a single mapping for a list of texts', () => {
    const texts = WORDS.map((word) => `  ${word}: 'this is the ${word} of it all',\n`)
    const source = `export const messages = {\n${texts.join('')}}\nsend(messages, 1)\n`
    expect(
      problemsOf(
        source,
        [
          ['const m=', source.indexOf('messages')],
          [`{${' '.repeat(99)}${texts.map((one) => one.trim()).join('')}};`, source.indexOf('{')],
          ['send(m', source.indexOf('send')],
          [',1)', source.indexOf('1)')],
        ],
        'src/messages.ts',
      ),
    ).toEqual([])
  })

  it('accepts missing mappings for data and for prepended code in a module', () => {
    const data = `const e=JSON.parse('[{"id":1}]'),t=JSON.parse('{"a":[]}');`
    const helper =
      'const v=(e,t)=>new Promise((r,n)=>queueMicrotask(n.bind(null,Error("Unknown variable dynamic import: "+t)))).finallyCalled().alsoCalled();'
    for (const made of [data, helper]) expect(problemsOf('send()\n', [[made], ['send()', 0]])).toEqual([])
  })

  it('accepts missing mappings for the lines of a template', () => {
    const source = `const a = \`\n\${b}\nelement.attach(x)\nelement.render(x)\`\nsend(a)\n`
    const pieces: Piece[] = [
      ['const a = `\n$' + '{', 0],
      ['b}\nelement.attach(x)\nelement.render(x)`\n', source.indexOf('b}')],
      ['send(a)\n', source.indexOf('send')],
    ]
    expect(problemsOf(source, pieces)).toEqual([])
  })
})

it('reports a map whose mappings begin inside words', () => {
  const source = WORDS.map((word) => `${word}Of(${word}Given);\n`).join('')
  const shifted = [...source.matchAll(/(\w\w)(\w+\W*)/g)].flatMap(({ 1: begin = '', 2: rest = '', index }): Piece[] => [
    [begin],
    [rest, index],
  ])
  expect(problemsOf(source, shifted)).toEqual(['map-stale'])
})

it('reports an error with a text from the surrounding source as unmapped code of that source', () => {
  const source = 'let count = 0\nconst add = () => {\n  throw new Error("boom " + count)\n}\nsend(add, count)\n'
  const pieces = (thrown: string): Piece[] => [
    ['let n=0;', 0],
    ['const r=()=>{', null],
    [`throw A(n,$(n)+1),Error(\`${thrown}\`+n)};`],
    ['send(r,n)', source.indexOf('send')],
  ]
  expect(problemsOf(source, pieces('boom '))).toEqual(['map-incomplete'])
  expect(problemsOf(source, pieces('made by a compiler '))).toEqual([])
  // The code follows the last mapping here, as if lines were prepended to the script.
  const moved = (thrown: string): Piece[] => [['/*', 0], ['*/\n'], [`throw A(n),Error(\`${thrown}\`+n)`]]
  expect(problemsOf(source, moved('boom '))).toEqual(['map-incomplete'])
  expect(problemsOf(source, moved('made by a compiler '))).toEqual([])
})

it('does not count a comment that mentions a throw, even if a mapping begins inside it', () => {
  const comment = "* before it\n * so that we throw as it wouldn't, and `call` it.\n */\n"
  const source = `add(count)\n/*${comment}send(add, count)\n`
  const pieces: Piece[] = [['add(n)\n/*', 0], [comment.slice(0, 12), source.indexOf(comment)], [comment.slice(12)]]
  expect(problemsOf(source, [...pieces, ['send(r,n)', source.indexOf('send')]])).toEqual([])
})

it("reports a map whose few mappings point to other positions as coarse, not as another build's", () => {
  const source = `start()\nstop()\n${WORDS.map((word) => `t.${word}Called(t.${word}Given());\n`).join('')}`
  const coarse = WORDS.flatMap((word, index): Piece[] => [
    ['t.'],
    [`${word}Called(t.${word}Given());`, 8 * (index % 2)],
  ])
  expect(problemsOf(source, [['a();', 0], ...coarse])).toEqual(['map-low-resolution'])
  const stale = WORDS.flatMap((word, index): Piece[] => {
    const other = WORDS[(7 * index + 3) % WORDS.length]
    return [
      ['t.'],
      [`${word}Called(t.`, source.indexOf(`${other}Called`)],
      [`${word}Given());`, source.indexOf(`${other}Given`)],
    ]
  })
  expect(problemsOf(source, [['a();', 0], ...stale])).toEqual(['map-stale'])
})

// VitePress's compiler maps the code of a prose page after its texts.
it.each([
  ['a multi-line template', '`', '`'],
  ['a comment', '/*', '*/'],
])('does not count calls in %s without a mapping before them', (_, begin, end) => {
  const source = "<script setup>\nimport { page } from './page'\nshow(page)\n</script>\n"
  const text = WORDS.map((word) => `  app.${word}Called('#app')\n`).join('')
  const pieces = (between: string): Piece[] => [
    [`import{s}from"./s.js";var p=d(${begin}\n${text}${end});\n${between}`],
    ['show(p)', source.indexOf('show')],
  ]
  expect(problemsOf(source, pieces(''), 'page.md')).toEqual([])
  expect(problemsOf(source, pieces(`${text.replaceAll("'#app'", 'p')}\n`), 'page.md')).toEqual(['map-incomplete'])
})

it('does not count calls in the comment of a method, at any indentation', () => {
  const source = `start()\n/**\n * Shows it.\n${WORDS.map((word) => ` * ${word}.${word}Called();\n`).join('')} */\nshow()\n`
  const lines = WORDS.flatMap((word): Piece[] => [
    ['         '],
    [`* ${word}.${word}Called();\n`, source.indexOf(` * ${word}.`) + 1],
  ])
  const made: Piece[] = [['start()\n', 0], ['        /**\n'], ['         * Shows it.\n'], ...lines, ['         */\n']]
  const shifted = source.replace('/**', '/**\n *')
  expect(problemsOf(shifted, [...made, ['        '], ['show()', shifted.indexOf('show()')]])).toEqual([])
})

it('does not call a source coarse because of a long line if its other lines are mapped', () => {
  const methods = WORDS.map((word) => `this.${word}Called(${word}Given)\n`)
  const source = `@tracked accessor a = 1\n${methods.join('')}`
  const decorated = WORDS.map(
    (word): Piece => [`decorate(this,null,${word}Decorator,${word}Initializer,${word}Extra);`, 0],
  )
  const made = methods.map((line): Piece => [line, source.indexOf(line)])
  expect(problemsOf(source, [...decorated, ['\n'], ...made])).toEqual([])
})

// Qwik moves the content that a component renders to another script, so the component's map ends where the component begins.
it('attributes no words from a style sheet’s text to the source before it', () => {
  const shown = '  return <header class="wrapper"><Logo height={50} width={143} /></header>\n'
  const source = `export default component$(() => {\n${shown}})\n`
  const ends = (rest: string): Piece[] => [
    [`const n=i(()=>t(()=>import("./header.js")))${rest};export{n as default};\n`, 0],
  ]
  const sheet = 'body{margin:0}.wrapper{height:1px;width:2px}header{color:red}'
  for (const quote of ['`', '"']) expect(problemsOf(source, ends(`,p=${quote}${sheet}${quote}`))).toEqual([])
  expect(problemsOf(source, ends(',p=wrapper({height:50,width:143}),q=u("#00ff00","#ff0000","#0000ff")'))).toEqual([
    'map-low-resolution',
  ])
  const told = source.replace('50', "'the height of headers'")
  expect(problemsOf(told, ends(',p={wrapper:"the height of headers"},q=u("#00ff00","#ff0000","#0000ff")'))).toEqual([
    'map-low-resolution',
  ])
})

it('does not treat a method named `throw` as a throw, regardless of the code after it', () => {
  const helper = 'var run=(l)=>{return l.next=e(0),l.throw=e(1),l.return=e(2),"function"==typeof l};'
  const source = `// A function that pays.\n${WORDS.map((word) => `context.${word}(${word}1)`).join(';\n')};\n`
  const made = tokensOf(source, /(?<!\/\/.*)(?:\w+|[^\w\n])/g)
  expect(problemsOf(source, [made[0] as Piece, [helper, null], ...made])).toEqual([])
  const thrown = helper
    .replace('l.throw=e(1)', 'l.throw')
    .replace('return l', 'if(l)throw"A function that pays";return l')
  expect(problemsOf(source, [made[0] as Piece, [thrown, null], ...made])).toEqual(['map-incomplete'])
})

// esbuild writes such a list for re-exports from a CommonJS module. Babel, swc and TypeScript write such loop ends.
it.each([
  [
    'a list of re-exports',
    '0 && (module.exports = {\n  ...require("./driver.cjs"),\n  ...require("./session.cjs"),\n});\n',
    ['...require', '...list.require'],
  ],
  [
    'the end of an asynchronous loop',
    'try{ if (_didIteratorError && _iterator.return != null) yield wait(_iterator.return()); } finally { if (_didIteratorError) throw _iteratorError; }\n',
    ['_didIteratorError', 'hasError'],
  ],
  [
    'the ends of loops in TypeScript output for older browsers',
    'try{if(h&&!h.done&&(u=x.return))u.call(x)}finally{if(d)throw d.error}'.repeat(2),
    ['.return', '.after'],
  ],
  [
    'swc output for generators in older browsers, which has many lines',
    `throw new TypeError("Generator is already executing.");${' '.repeat(2100)}op=_.ops.pop();_.trys.pop();t=_.trys,t=t[t.length-1];_.ops.push(op);if(t[2])_.ops.shift();_.trys.pop();op=body.callOf(self,_)\n`,
    ['trys', 'tries'],
  ],
  [
    'esbuild output for an asynchronous generator',
    'x=f=>{var t=f[p("asyncIterator")],n=!1,a,c={};return t=t.call(f),a=o=>c[o]=s=>{if(n){if(n=!1,o==="throw")throw s;return s}return n=!0},"throw"in t?a("throw"):c.throw=o=>{throw o},c};\n',
    ['"asyncIterator"', '"anyIterator"'],
  ],
  [
    'the esbuild helper for well-known symbols',
    'var p=(f,t)=>(t=Symbol[f])?t:Symbol.for("Symbol."+f),g=f=>{throw TypeError(f)},h=f=>{throw f};\n',
    ['Symbol.for(', 'symbolOf('],
  ],
])('accepts missing mappings for %s', (_, made, [what, other]) => {
  const source = `${WORDS.map((word) => `context.${word}(${word}1)`).join(';\n')};\n`
  const mapped = tokensOf(source)
  expect(problemsOf(source, [...mapped, ['\n'], [made, null]])).toEqual([])
  const code = made.replaceAll(what as string, other as string)
  expect(problemsOf(source, [...mapped, ['\n'], [code, null]])).toEqual(['map-incomplete'])
})

it('accepts the last letter of a big number mapped to the position after it, as swc does', () => {
  const source = `pay(${WORDS.map((_, index) => `${index}n`).join(', ')})\n`
  const made = (behind: number): Piece[] => [
    ['pay(', 0],
    ...[...source.matchAll(/(\d+)n/g)].flatMap(({ 1: digits = '', index }): Piece[] => [
      [digits, index],
      ['n,', index + digits.length + behind],
    ]),
    ['a)', 0],
  ]
  expect(problemsOf(source, made(1))).toEqual([])
  expect(problemsOf(source, made(2))).toEqual(['map-stale'])
})

it('does not call a source coarse because of a helper if each call has a mapping', () => {
  const source = 'const request = (input) => {\n  return app.request(input)\n}\nuse({ ...options, request })\n'
  const helper = `function(t){for(var r=1;r<arguments.length;r++){var n=arguments[r],o=Object.keys(n);o.keepOf(Object.symbolsOf(n));${WORDS.map((word) => `if(${word}In){${word}To=${word}Of(n,function(e){return ${word}})}`).join('')}}return t}`
  const made: Piece[] = [
    ['let c=function(e){return ', 0],
    ['a.', source.indexOf('app')],
    ['request(e)};', source.indexOf('request(input)')],
    [`u((${helper})({},o`, source.indexOf('use')],
    [',{', source.indexOf('request })')],
    ['request:c}))', source.indexOf('request })')],
  ]
  expect(problemsOf(source, made)).toEqual([])
  const coarse: Piece[] = [
    ['let c=function(e){return a.request(e)};', 0],
    [`u((${helper})({},o`, source.indexOf('use')],
    [',{', source.indexOf('request })')],
    ['request:c}))', source.indexOf('request })')],
  ]
  expect(problemsOf(source, coarse)).toEqual(['map-low-resolution'])
})
