import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { indexMapping } from './mapping-index.ts'
import { retraceLines } from './retrace.ts'
import { retracedText } from './retrace-text.ts'

const CASES = join(import.meta.dirname, '../../../../../fixtures/symbols/jvm/cases')
const indexOf = async (name: string) => indexMapping(join(CASES, name, 'mapping.txt'))

const cases = readdirSync(CASES).filter((name) => !name.endsWith('.txt'))
const stacksOf = (name: string) => readdirSync(join(CASES, name)).filter((file) => file.startsWith('stack'))
const REAL = cases.flatMap((name) =>
  stacksOf(name).flatMap((file) => (file === 'stack-random.txt' ? [] : [[name, file] as const])),
)

/** Classes that ReTrace leaves obfuscated: after `Suppressed:`, after a module name, and before a message with colons. */
const LEFT_OBFUSCATED = /\bSuppressed: |\bat \S+\/|: not a class, but may look like one/
/** ReTrace also lists a method without lines next to the method whose range contains the line. The program was in the latter. */
const NOT_THERE = /Gate\$Door\.(?:int )?lock\(/

describe('the resolved text matches the lines from ProGuard’s ReTrace', () => {
  it.each(REAL)('%s, %s', async (name, file) => {
    const stack = readFileSync(join(CASES, name, file), 'utf8')
    const lines = await retraceLines(stack, await indexOf(name))
    for (const [start, verbose] of [
      ['expected', false],
      ['verbose', true],
    ] as const) {
      const { whole, candidates } = linesOfReTrace(
        readFileSync(join(CASES, name, file.replace('stack', start)), 'utf8'),
      )
      const ours = retracedText(lines, { verbose })
        .split('\n')
        .map((line) => line.replace('<OR> ', ''))
      const unknown = ours.filter((line) => !whole.includes(line) && !candidates.includes(line))
      expect(unknown.filter((line) => !LEFT_OBFUSCATED.test(line))).toEqual([])
      // Without a line, ReTrace starts with the inlined frames. With R8's rules, the result is only the called methods.
      const missing = whole.filter((line) => !ours.includes(line) && !LEFT_OBFUSCATED.test(line))
      if (file !== 'stack-nolines.txt') expect(missing.filter((line) => !NOT_THERE.test(line))).toEqual([])
      expect(ours.length).toBeGreaterThanOrEqual(stack.split('\n').length)
    }
  })
})

describe('200 generated lines never keep the name of a renamed class', () => {
  it.each(cases)('%s', async (name) => {
    const index = await indexOf(name)
    const stack = readFileSync(join(CASES, name, 'stack-random.txt'), 'utf8')
    const text = retracedText(await retraceLines(stack, index))
    // If more text follows a frame, as in `at a.b(C.java) x`, both ReTrace and symup treat the line as text.
    const classes = [...text.matchAll(/\bat\s+(?:\S+\/)?([\w.$]+)\.[\w$<>]+ ?\([^()]*\)[ \t]*(?:~?\[.*\])?$/gm)].map(
      ([, it]) => it as string,
    )
    expect(classes.length).toBeGreaterThan(60)
    expect(classes.filter((it) => (index.originalName(it) ?? it) !== it)).toEqual([])
  })
})

/** ReTrace prints the candidates for a frame below each other, and blanks what a candidate has in common with the previous one. */
function linesOfReTrace(text: string): { whole: string[]; candidates: string[] } {
  const whole: string[] = []
  const candidates: string[] = []
  let above = ''
  let indent = Number.POSITIVE_INFINITY
  for (const line of text.split('\n')) {
    const blank = line.search(/\S/)
    if (blank > indent) {
      // ReTrace also blanks the first differing character if it is not part of a name.
      const common = above.slice(0, blank - 1)
      const rest = line.slice(blank)
      const possible = [above[blank - 1], '(', ',', ')'].map((sign) => `${common}${sign}${rest}`)
      candidates.push(...possible)
      above = possible[0] as string
    } else {
      indent = /^.*?\bat\s/.exec(line)?.[0].length ?? Number.POSITIVE_INFINITY
      whole.push(line)
      above = line
    }
  }
  return { whole, candidates }
}

describe('the resolved stack equals that of the program without obfuscation', () => {
  // The rules exclude optimizations that add parameters. For these, ProGuard writes generated names (`open$552c4e0e`) into the mapping.
  const rules = ['plain', 'original-source', 'overload']
  it.each(['shop', 'tower'].flatMap((program) => rules.map((rule) => [program, rule])))(
    '%s, %s',
    async (program, rule) => {
      const name = `${program}-${rule}`
      const original = readFileSync(join(CASES, `${program}.original.txt`), 'utf8')
      const expected = original
        .split('\n')
        .filter((line) => /^\s+at /.test(line))
        .map((line) => line.trim())
      const lines = await retraceLines(readFileSync(join(CASES, name, 'stack.txt'), 'utf8'), await indexOf(name))
      for (const retraced of lines) {
        if (retraced.kind !== 'frame') continue
        const { chains, line } = retraced
        const first = chains[0]?.map((frame) => `at ${frame.className}.${frame.method}(${frame.file}:${frame.line})`)
        const found = first ?? [
          `at ${line.module}${line.className}.${line.method}(${line.file}${line.line ? `:${line.line}` : ''})`,
        ]
        expect(found).toEqual(expected.splice(0, found.length))
      }
      expect(expected).toEqual([])
    },
  )
})
