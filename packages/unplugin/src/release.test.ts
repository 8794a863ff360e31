import { expect, it } from 'vitest'
import { ReleaseInPages } from './release.ts'

const from = { kind: 'option', name: 'service' } as const
const of = (value: string) => ({ value, from, overrode: [] })
const pages = (version: string) =>
  new ReleaseInPages({ injectRelease: true }, { service: of('shop'), version: of(version) })
const META = '<meta name="release" content="{&quot;service&quot;:&quot;shop&quot;,&quot;version&quot;:&quot;1&quot;}">'

it.each([
  [
    '<!doctype html><html lang="en"><head>\n<title>a</title>',
    `<!doctype html><html lang="en"><head>${META}\n<title>a</title>`,
  ],
  ['<HTML><HEAD class=a><p>', `<HTML><HEAD class=a>${META}<p>`],
  // HTML pages may omit these tags.
  ['<html><p>', `<html>${META}<p>`],
  ['<!DOCTYPE html><title>a</title>', `<!DOCTYPE html>${META}<title>a</title>`],
  ['<p>', `${META}<p>`],
  ['<!-- <head> --><header></header>', `${META}<!-- <head> --><header></header>`],
  // These tags come from an earlier build, or from the user.
  ['<head><meta name=release content=a><p>', `<head>${META}<p>`],
  ["<head><meta content='a' name='release' /><p>", `<head>${META}<p>`],
  ['<head><meta name="release-date" content="a">', `<head>${META}<meta name="release-date" content="a">`],
])('writes the release into %s', (html, expected) => {
  expect(pages('1').page(html)).toBe(expected)
  expect(pages('1').page(expected)).toBe(expected)
})

it('keeps any release text inside the attribute', () => {
  const html = pages('1"><script>alert(1)</script>&quot;').page('<head>')
  // The page contains only the angle brackets of two tags, and the quotes of two attributes.
  expect(html.match(/[<>"]/g)?.join('')).toBe('<><"""">')
  expect(html).not.toContain('<script')
})

it('writes no tag if the release is not requested or unknown', () => {
  expect(new ReleaseInPages({}, { service: of('shop'), version: of('1') }).page('<head>')).toBe('<head>')
  const unknown = new ReleaseInPages({ injectRelease: true }, { service: of('shop') })
  expect(unknown.page('<head>')).toBe('<head>')
  expect(unknown.problems()).toEqual([])
})

it('reports that no page was written, unless another part of the build wrote one', () => {
  const options = { injectRelease: true }
  const release = { service: of('shop'), version: of('1') }
  const [part, other] = [new ReleaseInPages(options, release), new ReleaseInPages(options, release)]
  expect(part.problems()).toMatchObject([{ code: 'release-not-injected', severity: 'warning' }])
  other.page('<head>')
  expect(part.problems()).toEqual([])
})
