import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { defineProblems, type ProblemDefinition } from './define.ts'
import { CATEGORIES, PROBLEMS, problem } from './problems.ts'

afterEach(() => vi.unstubAllEnvs())

it.each(CATEGORIES)('%s has its own file that defines all its codes', async (category) => {
  const defined: Record<string, Record<string, ProblemDefinition>> = await import(
    join(import.meta.dirname, `${category}.ts`)
  )
  const [codes] = Object.values(defined).map((problems) => Object.keys(problems))
  const listed = Object.entries(PROBLEMS).filter(([, definition]) => definition.category === category)
  expect(listed.map(([code]) => code)).toEqual(codes)
  expect(codes?.length).toBeGreaterThan(0)
})

it('defines a category or shared helpers in each file', () => {
  const shared = ['define.ts', 'docs-url.ts', 'problems.ts', 'problems.test.ts', 'unreadable.ts']
  expect(readdirSync(import.meta.dirname).sort()).toEqual([...shared, ...CATEGORIES.map((name) => `${name}.ts`)].sort())
})

it('does not compile a code without a category', () => {
  // @ts-expect-error: the category is missing.
  const problems = { 'a-code': { severity: 'error', cause: 'c', fix: 'f' } } satisfies Record<string, ProblemDefinition>
  // @ts-expect-error: the category does not exist.
  expect(defineProblems('trifles', problems)).toBeDefined()
})

it('links to the public documentation, or to a configured copy', () => {
  const docs = () => problem('map-missing', 'x').docs
  expect(docs()).toBe('https://github.com/symup/symup/blob/main/docs/problems.md#map-missing')
  vi.stubEnv('SYMUP_DOCS_URL', 'https://wiki.example.com/symup.html')
  expect(docs()).toBe('https://wiki.example.com/symup.html#map-missing')
  vi.stubEnv('SYMUP_DOCS_URL', 'docs/problems.md')
  expect(docs()).toBe('https://github.com/symup/symup/blob/main/docs/problems.md#map-missing')
})

it('never mentions the settings of another bundler in a fix', () => {
  const named = /\b(?:vite|webpack|rollup|rolldown|esbuild|rspack|rsbuild|farm|bun|parcel|turbopack)\b|VITE_/i
  const naming = Object.entries(PROBLEMS).filter(([, { fix }]) => named.test(fix))
  expect(naming.map(([code]) => code)).toEqual([])
})
