import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { isPage, routeOf } from '../../docs/.vitepress/links.ts'
import { ROOT } from '../support/build-fixture.ts'
import { pages } from './snippets.ts'

const run = promisify(execFile)
const SITE = join(ROOT, 'docs/dist')

it('builds the site with every page and without a broken internal link', { timeout: 600_000 }, async () => {
  await run('npm', ['run', 'docs:site'], { cwd: ROOT, maxBuffer: 1e8, shell: process.platform === 'win32' })

  const routes = pages().filter(isPage).map(routeOf)
  const built = [...routes, 'api/index.md', 'reference/commands.md'].map((route) => route.replace(/md$/, 'html'))
  const dead = built.flatMap((file) => {
    const html = readFileSync(join(SITE, file), 'utf8')
    const links = [...html.matchAll(/<a [^>]*href="\/([^"]*)/g)].map(([, link]) => link as string)
    return links.filter((link) => !leadsSomewhere(link))
  })
  expect(dead).toEqual([])

  const list = readFileSync(join(SITE, 'llms.txt'), 'utf8')
  for (const route of routes) expect(list).toContain(`](/${route})`)
  for (const [, route = ''] of list.matchAll(/\]\(\/(.+)\)/g)) expect(isFile(route), route).toBe(true)
})

/** Whether a link points to an existing page of the site, and to an existing anchor if it has one. */
function leadsSomewhere(link: string): boolean {
  const [path = '', anchor = ''] = link.split('#')
  const page = ['', '.html', 'index.html', '/index.html'].map((end) => path + end).find(isFile)
  if (page === undefined || anchor === '') return page !== undefined
  return readFileSync(join(SITE, page), 'utf8').includes(`id="${decodeURIComponent(anchor)}"`)
}

function isFile(path: string): boolean {
  return /\.\w+$/.test(path) && existsSync(join(SITE, path))
}
