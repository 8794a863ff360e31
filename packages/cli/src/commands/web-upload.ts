import { resolve } from 'node:path'
import { collectJavaScript } from '@symup/core'
import type { UploadFlags } from '../program.ts'
import { runUpload } from '../uploading.ts'

export interface WebUploadFlags extends UploadFlags {
  minifiedPathPrefix?: string
  projectPath?: string
}

/** `symup web upload <dir>`; returns the exit code. */
export function uploadWeb(directory: string, flags: WebUploadFlags, toolVersion: string): Promise<number> {
  return runUpload({
    flags,
    toolVersion,
    options: { minifiedPathPrefix: flags.minifiedPathPrefix },
    collect: ({ service, version, minifiedPathPrefix }, cwd) =>
      collectJavaScript({
        directory: resolve(cwd, directory),
        service: service.value,
        version: version.value,
        minifiedPathPrefix: minifiedPathPrefix?.value ?? '',
        projectPath: flags.projectPath ?? '',
        toolVersion,
      }),
  })
}
