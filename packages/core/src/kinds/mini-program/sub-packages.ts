/** WeChat's two names for the main package. Clients that support sub-packages load `__APP__`, and older clients load `__FULL__`. */
export const MAIN_PACKAGES = ['__APP__', '__FULL__'] as const
/** The directory of the main package according to the service's documentation. */
export const MAIN_PACKAGE = '__FULL__'

const COMMENT = 'symup sub-packages: '
/** Matches the maps of bundles that contain a whole WeChat package. Such maps are in the root directory of the package. */
const WECHAT_BUNDLE = /(?:^|\/)(?:app-?service(?:\.app)?|[^/]*\.app-?service)\.js\.map$/

/**
 * Returns an archive comment that lists the roots of the sub-packages. Without the comment, names such as `packages/order/list/list.js.map`
 * would be ambiguous.
 */
export function subPackagesComment(roots: readonly string[]): string {
  const comment = COMMENT + JSON.stringify([...roots].sort())
  // The zip format limits comments to 64 KB. If the roots do not fit, only the entry names are used.
  return Buffer.byteLength(comment) > 0xffff ? '' : comment
}

/**
 * Returns a function that finds the sub-package of an entry. The result is an empty string for the main package. Archives that symup packed
 * list their sub-packages in a comment. For other archives, sub-packages are guessed from the directory structure.
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

/**
 * Returns the directories above the main package in an entry's name, including the trailing slash. The result is '' if there are no such
 * directories, and undefined for entries of other packages.
 */
export function aboveMainPackage(entry: string): string | undefined {
  return /^(.*?\/)__(?:APP|FULL)__\//.exec(`/${entry}`)?.[1]?.slice(1)
}

/** Returns the roots from a comment that {@link subPackagesComment} created. The list is empty if another tool wrote the comment. */
export function rootsInComment(comment: string): string[] {
  if (!comment.startsWith(COMMENT)) return []
  try {
    const roots: unknown = JSON.parse(comment.slice(COMMENT.length))
    return Array.isArray(roots) ? roots.filter((root) => typeof root === 'string') : []
  } catch {
    return [] // Another tool wrote the comment.
  }
}

function directoryOf(entry: string): string {
  return entry.slice(0, Math.max(0, entry.lastIndexOf('/')))
}
