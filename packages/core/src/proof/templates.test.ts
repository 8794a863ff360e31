import { describe, expect, it } from 'vitest'
import { proofOf as proofWith } from './prove.fixture.ts'

const COMPONENT = `<script setup>
const props = defineProps(['item'])
const tab = ref('overview')
</script>

<template>
  <p :title="props.item.title">
    {{ props.item.overview }}
  </p>
</template>
`
const SCRIPT =
  'const N=d({__name:"Card",props:["item"],setup(l){const e=l,t=ref("overview");return(n,s)=>(o(),a("p",{title:e.item.title,"data-of":"the card of a film"},u(e.item.overview),9,["title"]))}});const M=f.showAll();'
const OTHER = 'const all = films.showAll()\n'

/** A mapping from a word in the script to a word in a component, or in the module after the component. */
type Mapping = [from: string, to: string, ofOther?: boolean]
const OF_SCRIPT: Mapping[] = [
  ['const e', 'const props'],
  ['t=ref', 'tab ='],
  ['ref("', 'ref('],
]
const BEHIND: Mapping[] = [
  ['M=', 'all =', true],
  ['showAll', 'showAll', true],
]

function proofOf(component: string, mappings: Mapping[], { name = 'src/Card.vue', script = SCRIPT } = {}) {
  const segments = mappings.map(([from, to, ofOther]): [number, number, number, number] => {
    const text = ofOther ? OTHER : component
    const before = text.slice(0, text.indexOf(to)).split('\n')
    return [script.indexOf(from), ofOther ? 1 : 0, before.length - 1, before.at(-1)?.length ?? 0]
  })
  segments.sort((a, b) => a[0] - b[0])
  const sources = [name, 'src/films.js']
  const map = { version: 3, sources, sourcesContent: [component, OTHER], mappings: [segments] }
  const { problems, own } = proofWith(script, map)
  return { problems, wrong: own.sources.get(name)?.wrong }
}

it('reports a component whose template is unmapped, within a script and at its end', () => {
  const isTold = {
    wrong: 'the template has no mappings',
    problems: [
      {
        code: 'map-incomplete',
        message:
          'Stacks from the template of src/Card.vue resolve to lines in its script because the template has no mappings.',
        fix: expect.stringContaining('Vue to 3.5.14'),
      },
    ],
  }
  expect(proofOf(COMPONENT, [...OF_SCRIPT, ...BEHIND])).toMatchObject(isTold)
  expect(proofOf(COMPONENT, OF_SCRIPT)).toMatchObject(isTold)
})

it.each<[string, ReturnType<typeof proofOf>]>([
  ['is mapped', proofOf(COMPONENT, [...OF_SCRIPT, ['e.item.title', 'props.item.title'], ...BEHIND])],
  ['contains none of the words', proofOf(COMPONENT.replace(/props\.item\.\w+/g, 'never'), [...OF_SCRIPT, ...BEHIND])],
  [
    'contains one of the words',
    proofOf(COMPONENT, [...OF_SCRIPT, ...BEHIND], {
      script: SCRIPT.replaceAll('e.item', 'e').replace('e.overview', 'e.o'),
    }),
  ],
  [
    'contains only longer words that include those of the script',
    proofOf(COMPONENT.replaceAll('props.item.', 'props.itemOf.sub'), [...OF_SCRIPT, ...BEHIND], {
      script: SCRIPT.replaceAll('e.item.', 'e.'),
    }),
  ],
  ['is not from Vue', proofOf(COMPONENT, [...OF_SCRIPT, ...BEHIND], { name: 'src/Card.svelte' })],
  ['belongs to a library', proofOf(COMPONENT, [...OF_SCRIPT, ...BEHIND], { name: 'node_modules/card/Card.vue' })],
])('reports nothing if the template %s', (_, { wrong, problems }) => {
  expect(wrong).not.toBe('the template has no mappings')
  expect(problems.filter(({ message }) => message.includes('template'))).toEqual([])
})

describe('a multi-line expression that Vue maps to its first line', () => {
  const KINDS = ['gift', 'sample', 'paid', 'subscription', 'voucher', 'return', 'repair', 'rental']
  const EXPRESSION = `\n        ${KINDS.map((kind) => `order.is_${kind}.active`).join(' ||\n        ')}\n      `
  const componentOf = (methods: number) => `<template>
  <p
      v-if="${EXPRESSION}"
  >{{ order.total }}</p>
</template>

<script>
export default {
${Array.from({ length: methods }, (_, nth) => `  method${nth}() { this.items${nth}.total${nth}() },`).join('\n')}
}
</script>
`

  /**
   * Builds a component. Each word in the script is mapped to its own position, and words in the expression are
   * mapped the way Vue maps them.
   */
  function built(methods: number, lang = '') {
    const component = componentOf(methods).replace('<template>', `<template${lang}>`)
    const begin = component.indexOf(EXPRESSION)
    const code = component.slice(component.indexOf('export default'), component.lastIndexOf('</script>'))
    const script = `${code.replaceAll('\n', ' ')}render(e,${EXPRESSION.replace(/\s+/g, ' ')},e.order.total)`
    const expression = script.indexOf(' order.is_gift')
    const segments: [number, number, number, number][] = []
    let from = 0
    for (const { 0: word, index } of script.matchAll(/(?<=[ .])[a-z]\w+/g)) {
      const isIn = index > expression && index < expression + EXPRESSION.replace(/\s+/g, ' ').length
      const at = isIn ? component.indexOf(word, from) : component.indexOf(word, index > expression ? begin : 0)
      if (isIn) from = at + 1
      // The text before the expression on its line: `      v-if="`.
      const before = component.slice(0, isIn ? begin : at).split('\n')
      segments.push([index, 0, before.length - 1, (before.at(-1) as string).length + (isIn ? at - begin : 0)])
    }
    const map = { version: 3, sources: ['src/Order.vue'], sourcesContent: [component], mappings: [segments] }
    return proofWith(script, map)
  }

  it.each([3, 2000])('reports only the positions of a multi-line expression next to %d methods', (methods) => {
    const { problems, own } = built(methods)
    expect(problems).toMatchObject([
      {
        code: 'map-low-resolution',
        severity: 'info',
        message:
          'Vue maps multi-line template expressions to their first line, so 24 positions in src/Order.vue resolve to an earlier line.',
        fix: expect.stringContaining('one line'),
      },
    ])
    const { wrong, places = 0, resolved = 0, failed } = own.sources.get('src/Order.vue') ?? {}
    expect({ wrong, failed: failed?.slice(0, 2) }).toEqual({ wrong: undefined, failed: ['3:22', '3:28'] })
    expect(places - resolved).toBe(24)
  })

  it('reports nothing about a template in another language', () => {
    expect(
      built(3, ' lang="pug"')
        .problems.map(({ message }) => message)
        .join(),
    ).not.toContain('several lines')
  })
})
