import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { problem, t } from '@symup/core/internal'
import { CommandFailure } from '../failure.ts'
import type { Change } from './tool.ts'

/**
 * Writes all files or none: each beside its place first, so that a full disk leaves the user's own as they are.
 * @throws CommandFailure
 */
export function writeChanges(changes: readonly Change[], cwd: string): void {
  const drafts: { draft: string; target: string }[] = []
  let file = ''
  try {
    for (const { path, after } of changes) {
      file = path
      const place = join(cwd, path)
      const isThere = existsSync(place)
      const target = isThere ? realpathSync(place) : place
      const draft = `${target}.part`
      drafts.push({ draft, target })
      if (isThere) accessSync(target, constants.W_OK)
      writeFileSync(draft, `${isThere ? markOf(target) : ''}${after}`)
      if (isThere) chmodSync(draft, statSync(target).mode)
    }
    for (const { draft, target } of drafts) renameSync(draft, target)
  } catch (error) {
    for (const { draft } of drafts) rmSync(draft, { force: true })
    const { code } = error as NodeJS.ErrnoException
    const fix = code === 'ENOSPC' ? t`Make room on the disk.` : t`Check that you may write it.`
    throw new CommandFailure([problem('file-unreadable', t`It could not be written (${code}).`, { file, fix })])
  }
}

/** The byte order mark that a file begins with, which its reader took off. */
function markOf(file: string): string {
  return readFileSync(file, 'utf8').startsWith('\uFEFF') ? '\uFEFF' : ''
}
