import { resolve } from 'node:path'
import { collectArkTs } from '@symup/core'
import type { UploadFlags } from '../flags.ts'
import { withTemporaryDirectory } from '../temporary-directory.ts'
import { runUpload } from '../uploading.ts'

export interface HarmonyUploadFlags extends UploadFlags {
  debug?: boolean
  product?: string
  target?: string
  buildDir?: string
}

/** `symup harmony upload <path>…`; returns the exit code. */
export function uploadHarmony(paths: string[], flags: HarmonyUploadFlags, toolVersion: string): Promise<number> {
  return withTemporaryDirectory((temporaryDirectory) =>
    runUpload({
      flags,
      toolVersion,
      needsPrefix: false,
      collect: ({ service, version }, cwd) =>
        collectArkTs({
          paths: paths.map((path) => resolve(cwd, path)),
          mode: flags.debug ? 'debug' : 'release',
          ...(flags.product !== undefined && { product: flags.product }),
          ...(flags.target !== undefined && { target: flags.target }),
          ...(flags.buildDir !== undefined && { buildDirectory: flags.buildDir }),
          service: service.value,
          version: version.value,
          toolVersion,
          cwd,
          temporaryDirectory,
        }),
    }),
  )
}
