import { relative, sep } from 'node:path'

/** A file as the user would name it: relative to the project, `/`-separated; absolute when it is outside. */
export function shownPath(path: string, cwd: string): string {
  const below = relative(cwd, path).split(sep).join('/')
  return below === '..' || below.startsWith('../') ? path : below
}
