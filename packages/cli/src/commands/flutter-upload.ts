import { collectFlutter } from '@symup/core'
import type { UploadFlags } from '../flags.ts'
import { runUpload } from '../uploading.ts'

/** `symup flutter upload <dir|file>`; returns the exit code. */
export function uploadFlutter(
  path: string,
  flags: UploadFlags & { flavor?: string },
  toolVersion: string,
): Promise<number> {
  return runUpload({
    flags,
    toolVersion,
    needsPrefix: false,
    collect: ({ service, version }, cwd) =>
      collectFlutter({
        path,
        ...(flags.flavor !== undefined && { flavor: flags.flavor }),
        service: service.value,
        version: version.value,
        toolVersion,
        cwd,
      }),
  })
}
