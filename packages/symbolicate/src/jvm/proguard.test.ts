import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bytesInFile } from '../stored-bytes.ts'
import { indexMapping } from './mapping-index.ts'
import { proguardText } from './retrace-text.ts'

const CASES = join(import.meta.dirname, '../../../../fixtures/symbols/jvm/cases')

/** ReTrace's expression knows no module prefix: it leaves such lines as they are, and so do we when nothing in them was renamed. */
describe.each(readdirSync(CASES))('%s: as ProGuard’s ReTrace, byte for byte', (name) => {
  const directory = join(CASES, name)
  const stacks = readdirSync(directory).filter((file) => file.startsWith('stack'))

  it.each(stacks)('%s', async (file) => {
    const index = await indexMapping(await bytesInFile(join(directory, 'mapping.txt')))
    const stack = readFileSync(join(directory, file), 'utf8')
    const expected = (start: string) => readFileSync(join(directory, file.replace('stack', start)), 'utf8')
    expect(await proguardText(stack, index)).toBe(expected('expected'))
    expect(await proguardText(stack, index, { verbose: true })).toBe(expected('verbose'))
  })
})
