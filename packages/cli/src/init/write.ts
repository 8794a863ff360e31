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
import { problem } from '@symup/core'
import { t } from '@symup/core/text'
import { CommandFailure } from '../failure.ts'
import type { Change } from './tool.ts'

/**
 * Writes all files or none. Drafts are written first, so that a full disk leaves the user's files unchanged.
 * @throws CommandFailure
 */
export function writeChanges(changes: readonly Change[], cwd: string): void {
  const drafts: { path: string; draft: string; target: string; before: Buffer | undefined }[] = []
  const written: typeof drafts = []
  let file = ''
  try {
    for (const { path, after } of changes) {
      file = path
      const place = join(cwd, path)
      const isThere = existsSync(place)
      const target = isThere ? realpathSync(place) : place
      if (isThere) accessSync(target, constants.W_OK)
      const before = isThere ? readFileSync(target) : undefined
      const draft = `${target}.${process.pid}.part`
      drafts.push({ path, draft, target, before })
      // With the `wx` flag, writing fails for existing files and links, so the target of a link is never overwritten.
      writeFileSync(draft, `${before ? markOf(before) : ''}${after}`, { flag: 'wx' })
      if (isThere) chmodSync(draft, statSync(target).mode)
    }
    for (const one of drafts) {
      file = one.path
      renameSync(one.draft, one.target)
      written.push(one)
    }
  } catch (error) {
    for (const { draft } of drafts) rmSync(draft, { force: true })
    // A file that is mounted into a container cannot be replaced, so its content is overwritten.
    for (const { target, before } of written) before ? writeFileSync(target, before) : rmSync(target, { force: true })
    const { code } = error as NodeJS.ErrnoException
    const fix = code === 'ENOSPC' ? t`Free some disk space.` : t`Check that you have permission to write to the file.`
    throw new CommandFailure([problem('file-unreadable', t`The file could not be written (${code}).`, { file, fix })])
  }
}

/** Returns the byte order mark of the original file, so that it can be preserved. */
function markOf(content: Buffer): string {
  return content.toString().startsWith('\uFEFF') ? '\uFEFF' : ''
}
