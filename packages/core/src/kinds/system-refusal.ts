import { ZipError } from '../formats/zip/zip-entry.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'

/** What the system says when nothing more can be written. */
const EXHAUSTED = new Set(['ENOSPC', 'EDQUOT', 'EROFS'])

/**
 * The problem behind an error that neither the user's files nor a bug caused: there is no place to write to, most often for temporary files.
 * @param file what could not be worked on.
 * @returns undefined for any other error.
 */
export function systemRefusal(error: unknown, file?: string): Problem | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === undefined || (syscall !== 'mkdtemp' && !EXHAUSTED.has(code))) return undefined
  return problem('system-refusal', t`The system says: ${error.message}.`, { ...(file !== undefined && { file }) })
}

const OTHER_ARCHIVE = /\.(?:7z|rar|tar|t[gx]z|tbz2?|gz|xz|bz2|zst)$/i

/** The same of an archive that is unpacked, and where it is damaged itself. */
export function unpackingRefusal(error: unknown, file: string): Problem | undefined {
  if (!(error instanceof ZipError)) return systemRefusal(error, file)
  const isOther = OTHER_ARCHIVE.test(file) && {
    fix: t`Unpack it and pass the files. symup reads zip archives only.`,
  }
  return problem('archive-invalid', error.message, { file, ...isOther })
}
