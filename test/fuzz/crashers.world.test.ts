import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Case } from './cases.ts'
import { startTarget, type Target } from './target.ts'

/** Every input that once broke the intake. */
const DIRECTORY = join(import.meta.dirname, 'crashers')

let target: Target
beforeAll(async () => {
  target = await startTarget()
})
afterAll(() => target.close())

it.each(readdirSync(DIRECTORY).sort())(
  'handles the input in %s, which once broke the intake',
  async (name) => {
    const one = JSON.parse(readFileSync(join(DIRECTORY, name), 'utf8')) as Case
    expect(await target.attempt(one)).toBeUndefined()
  },
  90_000,
)
