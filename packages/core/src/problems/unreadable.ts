import { t } from '../text.ts'
import { type Problem, type ProblemDetails, problem } from './problems.ts'

export function unreadable(
  code: 'file-unreadable' | 'directory-unreadable',
  error: unknown,
  details: ProblemDetails,
): Problem {
  const isDirectory = (error as NodeJS.ErrnoException).code === 'EISDIR'
  const fix = isDirectory ? t`Pass the path of the file instead of the path of its directory.` : undefined
  return problem(code, whyUnreadable(error, code === 'directory-unreadable'), { fix, ...details })
}

export function whyUnreadable(error: unknown, isDirectory = false): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return t`The file or directory does not exist.`
  if (code === 'ENOTDIR' && isDirectory) return t`The specified path is not a directory.`
  if (code === 'EISDIR') return t`The specified path is a directory, not a file.`
  return t`The path cannot be read (${code ?? message}).`
}
