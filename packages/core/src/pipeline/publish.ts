import { resolve } from 'node:path'
import type { Line } from '../model/line.ts'
import type { Problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import { githubAnnotations } from './annotations.ts'
import { writeProblems } from './problem-files.ts'

export interface PublishInput {
  /** Project directory. */
  cwd: string
  /** Version of the adapter, for SARIF. */
  toolVersion: string
  /** File for the problems, relative to `cwd`: see `writeProblems`. Default: `SYMUP_OUTPUT`, otherwise none. */
  output?: string | undefined
  /** Default: `process.env`. */
  env?: NodeJS.ProcessEnv
  /** Prints a line unchanged for CI systems to parse. */
  print(line: string): void
  /** Receives a failure to write the file. */
  warn(line: Line): void
}

/** Publishes problems for CI systems: annotations in GitHub Actions, and a file for GitLab or a code scanner. */
export function publishProblems(problems: readonly Problem[], input: PublishInput): void {
  const { cwd, env = process.env, toolVersion, print, warn } = input
  for (const line of githubAnnotations(problems, { env, cwd })) print(line)
  const output = input.output ?? (env.SYMUP_OUTPUT || undefined)
  if (output === undefined) return
  try {
    writeProblems(resolve(cwd, output), problems, { toolVersion, cwd, env })
  } catch (error) {
    warn({ severity: 'warning', text: t`Could not write ${output} (${(error as NodeJS.ErrnoException).code}).` })
  }
}
