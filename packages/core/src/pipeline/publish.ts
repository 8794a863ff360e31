import { resolve } from 'node:path'
import type { Line } from '../model/line.ts'
import type { Problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import { githubAnnotations } from './annotations.ts'
import { writeProblems } from './problem-files.ts'

export interface PublishInput {
  /** Project directory. */
  cwd: string
  /** Of the adapter; SARIF names it. */
  toolVersion: string
  /** File for the problems, relative to `cwd`: see `writeProblems`. Default: `SYMUP_OUTPUT`, else none. */
  output?: string | undefined
  /** Default: `process.env`. */
  env?: NodeJS.ProcessEnv
  /** Takes a line that must reach the log as it is: CI systems read it. */
  print(line: string): void
  /** Takes what went wrong with the file. */
  warn(line: Line): void
}

/** Shows problems where a CI system looks for them: annotations in GitHub Actions, a file for GitLab's or a code scanner's widget. */
export function publishProblems(problems: readonly Problem[], input: PublishInput): void {
  const { cwd, env = process.env, toolVersion, print, warn } = input
  for (const line of githubAnnotations(problems, { env, cwd })) print(line)
  const output = input.output ?? (env.SYMUP_OUTPUT || undefined)
  if (output === undefined) return
  try {
    writeProblems(resolve(cwd, output), problems, { toolVersion, cwd, env })
  } catch (error) {
    warn({ severity: 'warning', text: t`${output} could not be written (${(error as NodeJS.ErrnoException).code}).` })
  }
}
