/** WeChat's two names for the main package: `__APP__` is what clients that know sub-packages load, `__FULL__` is for older ones. */
export const MAIN_PACKAGES = ['__APP__', '__FULL__'] as const
/** The directory that the service documents for the main package. */
export const MAIN_PACKAGE = '__FULL__'

const COMMENT = 'symup sub-packages: '
/** The bundles that WeChat makes of a whole package lie directly in the package's root. */
const WECHAT_BUNDLE = /(?:^|\/)(?:app-?service(?:\.app)?|[^/]*\.app-?service)\.js\.map$/

/** An archive's comment that names the roots, so that `packages/order/list/list.js.map` need not be guessed at. */
export function subPackagesComment(roots: readonly string[]): string {
  const comment = COMMENT + JSON.stringify([...roots].sort())
  // The format holds 64 KB; beyond that the entries' names must tell.
  return Buffer.byteLength(comment) > 0xffff ? '' : comment
}

/**
 * Tells each entry's sub-package, '' for the main package: the longest root that the archive's comment names (archives packed by symup),
 * else the directory of one of WeChat's bundles, else what comes before `pages`, else the highest directory that holds a map itself.
 */
export function subPackageFinder(entries: readonly string[], comment: string): (entry: string) => string {
  const roots = rootsInComment(comment)
  const holding = new Set(entries.map(directoryOf))
  const guess = (entry: string): string => {
    const directory = directoryOf(entry)
    if (WECHAT_BUNDLE.test(entry)) return directory
    const segments = directory.split('/')
    for (let length = 1; length < segments.length; length++) {
      const above = segments.slice(0, length).join('/')
      if (segments[length] === 'pages' || holding.has(above)) return above
    }
    return directory
  }
  return (entry) => {
    if (isInMainPackage(entry) || !entry.includes('/')) return ''
    return subPackageAt(entry, roots) ?? guess(entry)
  }
}

/** The longest of the roots that a path lies below. */
export function subPackageAt(path: string, roots: readonly string[]): string | undefined {
  let longest: string | undefined
  for (const root of roots) {
    if (path.startsWith(`${root}/`) && root.length > (longest?.length ?? 0)) longest = root
  }
  return longest
}

export function isInMainPackage(entry: string): boolean {
  return MAIN_PACKAGES.some((name) => entry.startsWith(`${name}/`))
}

/** The roots that {@link subPackagesComment} wrote; none when the comment is somebody else's. */
export function rootsInComment(comment: string): string[] {
  if (!comment.startsWith(COMMENT)) return []
  try {
    const roots: unknown = JSON.parse(comment.slice(COMMENT.length))
    return Array.isArray(roots) ? roots.filter((root) => typeof root === 'string') : []
  } catch {
    return [] // Somebody else's comment.
  }
}

function directoryOf(entry: string): string {
  return entry.slice(0, Math.max(0, entry.lastIndexOf('/')))
}
