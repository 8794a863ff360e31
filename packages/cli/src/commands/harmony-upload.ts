import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { collectArkTs } from '@symup/core'
import type { UploadFlags } from '../flags.ts'
import { runUpload } from '../uploading.ts'

export interface HarmonyUploadFlags extends UploadFlags {
  debug?: boolean
  product?: string
  target?: string
  buildDir?: string
}

/** `symup harmony upload <path>…`; returns the exit code. */
export async function uploadHarmony(paths: string[], flags: HarmonyUploadFlags, toolVersion: string): Promise<number> {
  const temporaryDirectory = mkdtempSync(join(tmpdir(), 'symup-harmony-'))
  try {
    return await runUpload({
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
    })
  } finally {
    rmSync(temporaryDirectory, { recursive: true })
  }
}
