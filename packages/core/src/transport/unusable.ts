import { problem, SymupError } from '../problems/problems.ts'

/** An unusable proxy address or certificate file, found before anything is sent. */
export function unusable(message: string, file?: string): SymupError {
  return new SymupError(message, [problem('proxy-or-ca-unusable', message, file === undefined ? {} : { file })])
}
