import { collectJvmMapping } from '@symup/core'
import type { UploadFlags } from '../program.ts'
import { runUpload } from '../uploading.ts'

export interface MappingUploadFlags extends UploadFlags {
  versionCode: number
  variant: string
  buildId?: string
}

/** `symup android upload-mapping <mapping.txt>`; returns the exit code. */
export function uploadMapping(file: string, flags: MappingUploadFlags, toolVersion: string): Promise<number> {
  const { versionCode, variant, buildId } = flags
  return runUpload({
    flags,
    toolVersion,
    needsPrefix: false,
    collect: ({ service, version }, cwd) =>
      collectJvmMapping({
        file,
        cwd,
        service: service.value,
        version: version.value,
        versionCode,
        variant,
        toolVersion,
        ...(buildId !== undefined && { buildId }),
      }),
  })
}
