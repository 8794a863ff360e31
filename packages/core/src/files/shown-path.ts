import { relative, sep } from 'node:path'

/** A file as the user would name it: relative to the project, `/`-separated; as it is when it is outside. */
export function shownPath(path: string, cwd: string): string {
  // Asked for each of a build's files; nearly all lie below.
  const prefix = cwd.endsWith(sep) ? cwd : cwd + sep
  const below = (path.startsWith(prefix) ? path.slice(prefix.length) : relative(cwd, path)).split(sep).join('/')
  return below === '..' || below.startsWith('../') ? path : below
}
