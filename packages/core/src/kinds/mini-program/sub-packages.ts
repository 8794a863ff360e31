/** WeChat's two names for the main package: clients with support for sub-packages load `__APP__`, older ones `__FULL__`. */
export const MAIN_PACKAGES = ['__APP__', '__FULL__'] as const
/** The directory of the main package in the service's documentation. */
export const MAIN_PACKAGE = '__FULL__'

const COMMENT = 'symup sub-packages: '
/** WeChat's bundles of a whole package, which are directly in the package root. */
const WECHAT_BUNDLE = /(?:^|\/)(?:app-?service(?:\.app)?|[^/]*\.app-?service)\.js\.map$/

/** An archive comment that lists the roots. Without it, names such as `packages/order/list/list.js.map` would be ambiguous. */
export function subPackagesComment(roots: readonly string[]): string {
  const comment = COMMENT + JSON.stringify([...roots].sort())
  // The format limits comments to 64 KB. If there are more roots, only the entry names are used.
  return Buffer.byteLength(comment) > 0xffff ? '' : comment
}

/**
 * Finds the sub-package of an entry, '' for the main package. In this order: the longest root in the archive's comment (archives packed by
 * symup), the directory of one of WeChat's bundles, the path before `pages`, the highest directory that contains a map.
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

/** The longest root that contains a path. */
export function subPackageAt(path: string, roots: readonly string[]): string | undefined {
  let longest: string | undefined
  for (const root of roots) {
    if (path.startsWith(`${root}/`) && root.length > (longest?.length ?? 0)) longest = root
  }
  return longest
}

function isInMainPackage(entry: string): boolean {
  return MAIN_PACKAGES.some((name) => entry.startsWith(`${name}/`))
}

/** The directories above the main package in an entry's name, with the last slash; '' if there are none. Undefined in other packages. */
export function aboveMainPackage(entry: string): string | undefined {
  return /^(.*?\/)__(?:APP|FULL)__\//.exec(`/${entry}`)?.[1]?.slice(1)
}

/** The roots in a comment from {@link subPackagesComment}; empty if another tool wrote the comment. */
export function rootsInComment(comment: string): string[] {
  if (!comment.startsWith(COMMENT)) return []
  try {
    const roots: unknown = JSON.parse(comment.slice(COMMENT.length))
    return Array.isArray(roots) ? roots.filter((root) => typeof root === 'string') : []
  } catch {
    return [] // The comment is not from symup.
  }
}

function directoryOf(entry: string): string {
  return entry.slice(0, Math.max(0, entry.lastIndexOf('/')))
}
