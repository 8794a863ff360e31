import type { Problem } from '@symup/core'

/** A source map that will become an entry of the archive. */
export interface MapSource {
  /** Name in the archive. */
  entry: string
  /** What to call it in a problem. */
  file: string
  /** Size in bytes, as far as it is known. */
  bytes: number
  /** The map's bytes, piece by piece. */
  read(): AsyncIterable<Buffer>
}

/** What there is to pack. */
export interface MapSources {
  maps: MapSource[]
  /** Roots of the sub-packages, when they are known. */
  subPackages: string[]
  problems: Problem[]
  close(): Promise<void>
}
