import { resolve } from 'node:path'
import { attachRepository, collectJavaScript, findRepository, type Plan, prove, renderProof } from '@symup/core'
import type { UploadFlags } from '../flags.ts'
import { printLines } from '../terminal.ts'
import { runUpload } from '../uploading.ts'

export interface WebUploadFlags extends UploadFlags {
  minifiedPathPrefix?: string
  projectPath?: string
  disableGit?: boolean
  /** Commander's form of `--no-proof`. */
  proof?: boolean
}

const PROOF_BUDGET_MS = 10_000

/** `symup web upload <dir>`; returns the exit code. */
export function uploadWeb(directory: string, flags: WebUploadFlags, toolVersion: string): Promise<number> {
  return runUpload({
    flags,
    toolVersion,
    options: { minifiedPathPrefix: flags.minifiedPathPrefix },
    async collect({ service, version, minifiedPathPrefix }, cwd) {
      const plan = await collectJavaScript({
        directory: resolve(cwd, directory),
        service: service.value,
        version: version.value,
        minifiedPathPrefix: minifiedPathPrefix?.value ?? '',
        projectPath: flags.projectPath ?? '',
        toolVersion,
      })
      return inspect(plan, flags, cwd)
    },
  })
}

/** Whether the positions resolve, and which commit was built. */
async function inspect(plan: Plan, flags: WebUploadFlags, cwd: string): Promise<Plan> {
  // Git answers while the proof is made.
  const found = flags.disableGit ? undefined : findRepository({ directory: cwd })
  const proof = flags.proof === false ? undefined : await prove(plan.uploads, { cwd, timeBudget: PROOF_BUDGET_MS })
  if (proof && !flags.quiet) printLines(renderProof(proof), flags.json ? process.stderr : process.stdout)
  const proven = proof ? { uploads: plan.uploads, problems: [...plan.problems, ...proof.problems] } : plan
  return found
    ? attachRepository(proven, await found, { directory: cwd, ...(proof && { sources: proof.sources }) })
    : proven
}
