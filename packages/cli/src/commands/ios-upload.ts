import { collectDsyms, type DsymFacts, formatBytes, type Line } from '@symup/core'
import type { UploadFlags } from '../flags.ts'
import { withTemporaryDirectory } from '../temporary-directory.ts'
import { printLines } from '../terminal.ts'
import { runUpload } from '../uploading.ts'

/** `symup ios upload <path>`; returns the exit code. */
export function uploadDsyms(path: string, flags: UploadFlags, toolVersion: string): Promise<number> {
  return withTemporaryDirectory((temporaryDirectory) =>
    runUpload({
      flags,
      toolVersion,
      needsPrefix: false,
      needsRelease: false,
      async collect(_, cwd) {
        const plan = await collectDsyms({ path, cwd, temporaryDirectory, toolVersion, pack: !flags.dryRun })
        if (!flags.quiet) printLines(renderDsyms(plan.dsyms), flags.json ? process.stderr : process.stdout)
        return plan
      },
    }),
  )
}

/** Name, architecture, UUID, size, debug information; one row for each architecture. */
function renderDsyms(dsyms: readonly DsymFacts[]): Line[] {
  const widest = Math.max(0, ...dsyms.map(({ name }) => name.length))
  return dsyms.flatMap(({ name, images, bytes }) =>
    images.map(({ arch, uuid, hasDebugInfo }, index) => {
      const [first, size] = index === 0 ? [name, formatBytes(bytes)] : ['', '']
      const id = (uuid ?? 'no UUID').padEnd(36)
      const text = `${first.padEnd(widest)}  ${arch.padEnd(8)}  ${id}  ${size.padStart(9)}  ${hasDebugInfo ? 'debug info' : 'no debug info'}`
      return { severity: uuid !== undefined && hasDebugInfo ? 'info' : 'error', text }
    }),
  )
}
