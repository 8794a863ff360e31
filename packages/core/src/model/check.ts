import type { Problem } from '../problems/problems.ts'

/** A symbol file in the output of `symup check`. Each kind adds its own properties. Names and units are stable. */
export interface CheckedFile {
  /** The path as the user would write it. */
  path: string
  /** The kind of file, such as `javascript`, `elf`, `mach-o` or `jvm-mapping`. */
  kind: string
  bytes: number
  buildId?: string
  uuids?: string[]
  arch?: string
  debugInfo?: boolean
  /** For native libraries, whether the file has function names, with or without debug information. */
  symbols?: boolean
  /** For JavaScript, the path of the source map. */
  map?: string
  mapBytes?: number
  /** For mini-program archives and ArkTS maps, the number of source maps in the file, and their uncompressed size. */
  maps?: number
  inflatedBytes?: number
  /** For JavaScript, the sources with the most text in the map. */
  biggestSources?: { source: string; bytes: number }[]
  /** For JavaScript, the ECMA-426 debug id. */
  debugId?: string
  /** For JavaScript, the number of sampled positions, and how many of them resolve to the original code. */
  positions?: number
  resolved?: number
}

/** The result of the offline checks, in the stable JSON form of `symup check --json`. */
export interface CheckDocument {
  files: CheckedFile[]
  problems: Problem[]
}
