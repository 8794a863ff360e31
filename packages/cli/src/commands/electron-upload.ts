import { collectBreakpad } from '@symup/core'
import type { UploadFlags } from '../flags.ts'
import { runUpload } from '../uploading.ts'

/** `symup electron upload <dir|file>`; returns the exit code. */
export function uploadElectron(path: string, flags: UploadFlags, toolVersion: string): Promise<number> {
  return runUpload({
    flags,
    toolVersion,
    needsPrefix: false,
    collect: ({ service, version }, cwd) =>
      collectBreakpad({ path, service: service.value, version: version.value, toolVersion, cwd }),
  })
}
