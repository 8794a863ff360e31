import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { type Problem, problem, shownPath, t } from '@symup/core/internal'
import { isWrittenSince } from './late-files.ts'

/** A script that was sent before it was written. */
interface Sent {
  /** Absolute. */
  path: string
  contents: Uint8Array
}

interface Build {
  /** Project directory. */
  root: string
  /** When it began, in milliseconds since 1970: a file that lay there before tells nothing. */
  since: number
  tell(problems: Problem[]): void
}

interface Watched {
  digest: string
  build: Build
}

/** By path: of several builds that write one file, the last one counts. */
const watched = new Map<string, Watched>()

/**
 * Says when the process ends which scripts were written with other code than was sent: a tool such as tsup gets them from esbuild in memory, and may
 * minify or tree-shake them once more.
 */
export function watchWrittenLater(scripts: readonly Sent[], build: Build): void {
  if (watched.size === 0 && scripts.length > 0) process.once('exit', tellChanged)
  for (const { path, contents } of scripts) watched.set(path, { digest: digestOf(contents), build })
}

export function tellChanged(): void {
  const changed = new Map<Build, Problem[]>()
  for (const [path, { digest, build }] of watched) {
    if (!isChanged(path, digest, build.since)) continue
    const found = problem('map-stale', t`It was changed after it was sent with its map: stacks will not resolve.`, {
      file: shownPath(path, build.root),
      fix: t`Leave the plugin out, and upload when all is written: npx symup web upload <directory>.`,
    })
    changed.set(build, [...(changed.get(build) ?? []), found])
  }
  watched.clear()
  for (const [{ tell }, problems] of changed) tell(problems)
}

function isChanged(path: string, digest: string, since: number): boolean {
  try {
    return isWrittenSince(statSync(path).mtimeMs, since) && digestOf(readFileSync(path)) !== digest
  } catch {
    return false
  }
}

/** Whoever writes it may add the name of its map, or leave it out. */
const MAP_NAME = /\/\/[#@] ?sourceMappingURL=\S*$/

function digestOf(contents: Uint8Array): string {
  const text = Buffer.from(contents).toString('latin1').trimEnd().replace(MAP_NAME, '').trimEnd()
  return createHash('sha256').update(text).digest('hex')
}
