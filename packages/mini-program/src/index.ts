/**
 * Packs the source maps of a mini program and uploads them.
 *
 * @module @symup/mini-program
 */

export type { MiniProgramOptions, OnError } from './options.ts'
export { type PackOptions, type PackProof, type PackResult, pack } from './pack.ts'
export { appidOf } from './project.ts'
export { type UploadInput, uploadMiniProgram } from './upload.ts'
