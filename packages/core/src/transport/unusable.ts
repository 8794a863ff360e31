import { problem, SymupError } from '../problems/problems.ts'

/** A proxy address or a file of certificate authorities that cannot be used: found before anything is sent. */
export function unusable(message: string, file?: string): SymupError {
  return new SymupError(message, [problem('proxy-or-ca-unusable', message, file === undefined ? {} : { file })])
}
