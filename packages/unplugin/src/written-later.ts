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
  /** Whether tsup writes it, from which maps were taken away. */
  lacksMaps?: boolean
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
 * minify or tree-shake them once more. Where tsup does, it wants the map that was taken away, and fails.
 */
export function watchWrittenLater(scripts: readonly Sent[], build: Build): void {
  if (watched.size === 0 && scripts.length > 0) process.once('exit', tellChanged)
  for (const { path, contents } of scripts) watched.set(path, { digest: digestOf(contents), build })
}

/** @param exitCode of the process. */
export function tellChanged(exitCode = 0): void {
  const changed = new Map<Build, Problem[]>()
  for (const [path, { digest, build }] of watched) {
    const message = changeOf(path, digest, build, exitCode)
    if (message === undefined) continue
    const found = problem('map-stale', message, {
      file: shownPath(path, build.root),
      fix: t`Leave the plugin out, and upload when all is written: npx symup web upload <directory>.`,
    })
    changed.set(build, [...(changed.get(build) ?? []), found])
  }
  watched.clear()
  for (const [{ tell }, problems] of changed) tell(problems)
}

/** The problem of a script, if it has one. */
function changeOf(path: string, digest: string, { since, lacksMaps }: Build, exitCode: number): string | undefined {
  try {
    if (isWrittenSince(statSync(path).mtimeMs, since)) {
      if (digestOf(readFileSync(path)) === digest) return undefined
      return t`It was changed after it was sent with its map: stacks will not resolve.`
    }
  } catch (error) {
    // Of what cannot be read nothing is known.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return undefined
  }
  if (exitCode === 0 || !lacksMaps) return undefined
  return t`It was sent, but not written: where tsup changes what esbuild made (treeshake, minify: 'terser', target: 'es5'), it fails without the map that deleteAfterUpload takes away.`
}

/** The tool that writes it may add the name of its map, or leave it out. */
const MAP_NAME = /\/\/[#@] ?sourceMappingURL=\S*$/

function digestOf(contents: Uint8Array): string {
  const text = Buffer.from(contents).toString('latin1').trimEnd().replace(MAP_NAME, '').trimEnd()
  return createHash('sha256').update(text).digest('hex')
}
