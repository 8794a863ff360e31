import { ZipError } from '../formats/zip/zip-entry.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'

const EXHAUSTED = new Set(['ENOSPC', 'EDQUOT', 'EROFS'])

/**
 * Returns a problem if the system refuses to write a file, for example because the disk is full.
 * @returns undefined for other errors.
 */
export function systemRefusal(error: unknown, file?: string): Problem | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === undefined || (syscall !== 'mkdtemp' && !EXHAUSTED.has(code))) return undefined
  return problem('system-refusal', t`System error: ${error.message}.`, { ...(file !== undefined && { file }) })
}

const OTHER_ARCHIVE = /\.(?:7z|rar|tar|t[gx]z|tbz2?|gz|xz|bz2|zst)$/i

export function unpackingRefusal(error: unknown, file: string): Problem | undefined {
  if (!(error instanceof ZipError)) return systemRefusal(error, file)
  const isOther = OTHER_ARCHIVE.test(file) && {
    fix: t`Unpack the archive and pass its files. symup reads only zip archives.`,
  }
  return problem('archive-invalid', error.message, { file, ...isOther })
}
