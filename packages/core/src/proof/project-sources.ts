import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isBelow } from '../files/remove-file.ts'
import { withoutQuery } from '../files/url-path.ts'
import type { OnDisk } from './disk-sources.ts'

/** A module as webpack and Rspack name it, with Next's layer before the path: `webpack://_N_E/(rsc)/./app/page.tsx`. */
const MODULE = /^webpack:\/\/[^/]*\/(?:\([\w-]+\)\/)?/

/**
 * Excludes sources that only seem to be the project's: webpack keeps relative names from a library's map (`../src/select.tsx`). Such a
 * source counts if the file exists. If none exists, the project is in another directory, and all count.
 * @param isOwn whether each source is the app's own by its name.
 */
export function areInProject(names: readonly string[], isOwn: readonly boolean[], { cwd, map }: OnDisk): boolean[] {
  const directories = [cwd, ...directoriesUpTo(cwd, dirname(map))]
  const isMissing = names.map((name, source) => {
    if (!isOwn[source] || !MODULE.test(name)) return false
    const path = withoutQuery(name.replace(MODULE, ''))
    return !directories.some((directory) => existsSync(resolve(directory, path)))
  })
  const isThere = names.some((name, source) => isOwn[source] && MODULE.test(name) && !isMissing[source])
  return isOwn.map((own, source) => own && !(isThere && isMissing[source]))
}

/** The directories from the map's up to the project's, because a build in a monorepo names modules relative to its own package. */
function directoriesUpTo(cwd: string, directory: string): string[] {
  const found: string[] = []
  for (let at = resolve(directory); isBelow(at, cwd); at = dirname(at)) found.push(at)
  return found
}
