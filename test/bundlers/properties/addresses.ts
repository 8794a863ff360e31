import type { TestIntake } from '@symup/intake/testing'
import { expect, it } from 'vitest'
import { source } from '../bundle.ts'
import type { Bundler } from '../bundlers.ts'
import { build, namesOf } from './build.ts'

/** The addresses under which scripts are uploaded. */
export function namesAddresses(bundler: Bundler, intake: TestIntake): void {
  it('shows files and addresses in a dry run without a key, and sends nothing', async () => {
    const options = { dryRun: true, minifiedPathPrefix: 'https://cdn.example.com/x%20y' }
    const request = { entries: { 'my page': source('single.js') } }
    const { output, uploaded } = await build(bundler, intake, request, { ...options, apiKey: undefined })
    expect(output).toMatch(/size {2}file +→ URL reported by browsers/)
    expect(output).toMatch(
      / \S*dist-\w+[/\\]my[ _-]?page\.js +→ https:\/\/cdn\.example\.com\/x%20y\/my(?:%20|_|-)?page\.js/,
    )
    expect(output).toContain('Dry run: would upload 1 artifact')
    expect(uploaded).toEqual([])
  })

  it.skipIf(bundler.lacks.inferredPrefix !== undefined)('infers the prefix from the config', async () => {
    const dry = (base: string) => build(bundler, intake, { base }, { dryRun: true })
    expect((await dry('https://cdn.example.com/größe/')).output).toMatch(
      /minifiedPathPrefix = https:\/\/cdn\.example\.com\/gr%C3%B6%C3%9Fe\/ ← .*(?:base|publicPath)/,
    )
    expect(String((await dry('./')).failure)).toContain('prefix-missing')
  })

  // Laravel Mix names entries like this.
  it.skipIf(!['webpack', 'rspack'].includes(bundler.name))('takes entry names that begin with a slash', async () => {
    const entries = { '/js/app': source('single.js'), './js/other': source('single.js') }
    const { output, uploaded } = await build(bundler, intake, { entries })
    expect(output).toContain('Uploaded 2 artifacts')
    expect(namesOf(uploaded)).toEqual(['/shop/js/app.js', '/shop/js/other.js'])
  })
}
