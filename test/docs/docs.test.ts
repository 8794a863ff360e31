import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { PUBLISHED } from '../support/published.ts'

it('keeps generated documentation up to date with the code', async () => {
  const { argv } = process
  process.argv = [...argv.slice(0, 2), '--check']
  try {
    expect((await import('../../scripts/docs.ts')).stale).toEqual([])
  } finally {
    process.argv = argv
  }
})

/** This package exports a single function with a text parameter, so it has no options. */
const WITHOUT_OPTIONS = 'demangle'

describe.each(PUBLISHED)('the README of packages/%s', (name) => {
  const text = readFileSync(join(ROOT, 'packages', name, 'README.md'), 'utf8')

  it('contains the standard sections: purpose, use, options, how it works, how to test', () => {
    expect(text.split('\n')[2]).toMatch(/^[A-Z].{40}/)
    const options = name === WITHOUT_OPTIONS ? [] : ['\n## Options\n']
    const at = ['```', ...options, '\n## How it works\n', '\n## Test\n'].map((part) => text.indexOf(part))
    expect(at).not.toContain(-1)
    expect(at).toEqual([...at].sort((a, b) => a - b))
    if (name !== WITHOUT_OPTIONS) expect(text, 'options come from the code').toMatch(/<!-- (?:options|flags) -->\n\|/)
  })

  it('shows how to use the package in at most 10 lines', () => {
    const [, code = ''] = /```\w*\n([\s\S]*?)```/.exec(text) ?? []
    expect(code.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(10)
  })
})

it('keeps the top-level README short enough for three minutes, with links to the rest', () => {
  const text = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const prose = text.replaceAll(/^\|.*$/gm, '')
  expect(prose.split(/\s+/).length).toBeLessThan(750)
  for (const page of ['docs/problems.md', 'docs/migrating.md', 'docs/recipes']) expect(text).toContain(`(${page})`)
  for (const name of PUBLISHED) expect(text).toContain(`(packages/${name})`)
})

it('keeps CONTRIBUTING.md under 120 lines', () => {
  const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
  expect(text.split('\n').length).toBeLessThan(120)
})
