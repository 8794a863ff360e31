import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bytesInFile } from '../../stored-bytes.ts'
import { indexMapping } from './mapping-index.ts'
import { retrace } from './retrace.ts'
import { proguardText } from './retrace-text.ts'

const CASES = join(import.meta.dirname, '../../../../../fixtures/symbols/jvm/cases')
const indexOf = async (name: string) => indexMapping(await bytesInFile(join(CASES, name, 'mapping.txt')))

const cases = readdirSync(CASES).filter((name) => !name.endsWith('.txt'))
describe.each(cases)('%s: as ProGuard’s ReTrace, byte for byte', (name) => {
  const directory = join(CASES, name)
  const stacks = readdirSync(directory).filter((file) => file.startsWith('stack'))

  it.each(stacks)('%s', async (file) => {
    const index = await indexOf(name)
    const stack = readFileSync(join(directory, file), 'utf8')
    const expected = (start: string) => readFileSync(join(directory, file.replace('stack', start)), 'utf8')
    expect(await proguardText(stack, index)).toBe(expected('expected'))
    expect(await proguardText(stack, index, { verbose: true })).toBe(expected('verbose'))
  })
})

describe('as the program prints its stacks when it is not obfuscated', () => {
  // Not with optimisation that adds parameters: ProGuard then writes made-up names (`open$552c4e0e`) into the mapping.
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
      const lines = await retrace(readFileSync(join(CASES, name, 'stack.txt'), 'utf8'), await indexOf(name))
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
