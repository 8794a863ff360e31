import type { Problem } from '../problems/problems.ts'

/** A symbol file in the output of `symup check`. Each kind adds its own facts. Names and units are stable. */
export interface CheckedFile {
  /** The path as the user would write it. */
  path: string
  /** `javascript`, `elf`, `mach-o`, `jvm-mapping`, … */
  kind: string
  bytes: number
  buildId?: string
  uuids?: string[]
  arch?: string
  debugInfo?: boolean
  /** Native libraries: whether the file has function names, with or without debug information. */
  symbols?: boolean
  /** JavaScript: its source map and the map's size. */
  map?: string
  mapBytes?: number
  /** Mini-program archives and ArkTS: the number of source maps inside, and their uncompressed size. */
  maps?: number
  inflatedBytes?: number
  /** JavaScript: its largest sources, by the size of their text in the map. */
  biggestSources?: { source: string; bytes: number }[]
  /** JavaScript: ECMA-426 debug id. */
  debugId?: string
  /** JavaScript: number of sampled positions, and how many of them resolve to the original code. */
  positions?: number
  resolved?: number
}

/** The result of the offline checks: the stable JSON form of `symup check --json`. */
export interface CheckDocument {
  files: CheckedFile[]
  problems: Problem[]
}
