import type { Problem } from '../problems/problems.ts'

/** A symbol file as `symup check` lists it. Each kind adds the facts that it knows; names and units are stable. */
export interface CheckedFile {
  /** As the user would name it. */
  path: string
  /** `javascript`, `elf`, `mach-o`, `jvm-mapping`, … */
  kind: string
  bytes: number
  buildId?: string
  uuids?: string[]
  arch?: string
  debugInfo?: boolean
  /** Native libraries: names of functions, with or without debug information. */
  symbols?: boolean
  /** JavaScript: its source map and that map's size. */
  map?: string
  mapBytes?: number
  /** Mini-program archive, ArkTS: source maps that it holds, and their size decompressed. */
  maps?: number
  inflatedBytes?: number
  /** JavaScript: its largest sources, by the bytes of their text in the map. */
  biggestSources?: { source: string; bytes: number }[]
  /** JavaScript: ECMA-426 debug id. */
  debugId?: string
  /** JavaScript: sample positions, and how many of them lead to the original code. */
  positions?: number
  resolved?: number
}

/** What can be told without a network: the stable JSON form of `symup check --json`. */
export interface CheckDocument {
  files: CheckedFile[]
  problems: Problem[]
}
