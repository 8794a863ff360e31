import { posix } from 'node:path'

const REPOSITORY = 'https://github.com/symup/symup'

/** Returns the page for a Markdown file in the repository, such as `packages/cli.md` for `packages/cli/README.md`. */
export function routeOf(file: string): string {
  return file
    .replace(/^docs\//, '')
    .replace(/^(packages\/[^/]+)\/README\.md$/, '$1.md')
    .replace(/(^|\/)README\.md$/, '$1index.md')
}

/** Returns the file in the repository that a link points to, and its anchor; undefined for external links. */
export function linkedFile(href: string, from: string): { path: string; anchor: string } | undefined {
  const [, own] = new RegExp(`^${REPOSITORY}/(?:blob|tree)/main/(.*)$`).exec(href) ?? []
  if (own === undefined && /^[a-z]+:|^\/\//i.test(href)) return undefined
  const [path = '', anchor = ''] = (own ?? href).split('#')
  if (own !== undefined) return { path, anchor }
  return { path: path === '' ? from : posix.join(posix.dirname(from), path), anchor }
}

/**
 * Returns a link for use on the site. If the target is not a page of the site, the link points to the repository.
 * @throws Error if the target does not exist.
 */
export function hrefOnSite(href: string, from: string, exists: (path: string) => boolean): string {
  const linked = linkedFile(href, from)
  if (!linked || from.startsWith('docs/api/')) return href
  const path = linked.path.replace(/\/$/, '')
  const page = path.endsWith('.md') ? path : posix.join(path, 'README.md')
  const anchor = linked.anchor && `#${linked.anchor}`
  if (!exists(path)) throw new Error(`${from} has a link to ${href}, which is not there.`)
  if (exists(page) && isPage(page)) return `/${routeOf(page)}${anchor}`
  return `${REPOSITORY}/blob/main/${path}${anchor}`
}

/** Returns the anchor of a heading, as in `nextjs` for `Next.js`. GitHub uses the same rules, so links work on both sites. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** Returns whether a Markdown file is a page of the site. */
export function isPage(file: string): boolean {
  return /^(?:docs\/.+|packages\/[^/]+\/README|README|CONTRIBUTING|SECURITY|CHANGELOG)\.md$/.test(file)
}
