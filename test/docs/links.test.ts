import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { REASONS } from '@symup/symbolicate/internal'
import { describe, expect, it } from 'vitest'
import { anchorOf, isPage, linkedFile, routeOf } from '../../docs/.vitepress/links.ts'
import { ROOT } from '../support/build-fixture.ts'
import { pages } from './snippets.ts'

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const withoutCode = (text: string) =>
  text.replace(/^( *)```[\s\S]*?^ *```/gm, '').replace(/`[^`\n]*`/g, (it) => it.replace(/[[\]()]/g, ''))

/** The anchors of a page, generated from its headings the way GitHub and the site do. */
function anchors(file: string): Set<string> {
  const text = withoutCode(read(file))
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)"/g)].map(([, id]) => id as string)])
}

function linksOf(page: string): string[] {
  const text = withoutCode(read(page))
  const inline = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href]) => href as string)
  return [...inline, ...[...text.matchAll(/^\[[^\]]+\]: (\S+)$/gm)].map(([, href]) => href as string)]
}

const referencePages = ['docs/reference/commands.md', 'docs/reference/json.md']
describe.each([...pages(), ...referencePages])('the page %s', (page) => {
  it('contains no broken link into the repository', () => {
    const dead = linksOf(page).filter((href) => {
      const linked = linkedFile(href, page)
      if (!linked) return false
      const path = join(ROOT, linked.path)
      if (!existsSync(path)) return true
      if (linked.anchor === '') return false
      const file = statSync(path).isDirectory() ? join(linked.path, 'README.md') : linked.path
      return !anchors(file).has(linked.anchor)
    })
    expect(dead).toEqual([])
  })
})

it('lists every page in the sidebar of the site, or links to it from a listed page', () => {
  const config = read('docs/.vitepress/config.ts')
  const routes = new Set([...config.matchAll(/', '\/([^']*)'\]/g)].map(([, route]) => route))
  const shown = pages().filter((page) => routes.has(routeOf(page).replace(/(?:index)?\.md$/, '')))
  const linked = new Set(shown.flatMap((page) => linksOf(page).map((href) => linkedFile(href, page)?.path)))
  const lost = pages().filter((page) => isPage(page) && !shown.includes(page) && !linked.has(page))
  expect(lost.filter((page) => !/^docs\/(?:decisions\/\d|recipes\/README)/.test(page))).toEqual([])
})

it('covers every reason in the decision tree', () => {
  const leads = linksOf('docs/still-minified.md').map((href) => linkedFile(href, 'docs/still-minified.md')?.anchor)
  expect(Object.keys(REASONS).filter((code) => !leads.includes(code))).toEqual([])
})
