import { buffer } from 'node:stream/consumers'
import type { Problem } from '@symup/core'
import { readRegular } from '@symup/core/internal'

/** A source map that will become an entry of the archive. */
export interface MapSource {
  /** Name in the archive. */
  entry: string
  /** What to call it in a problem. */
  file: string
  /** Path of the map, or what gives its bytes. */
  content: string | (() => AsyncIterable<Buffer>)
  /** Path of the map on the disk, where something else gives its bytes. */
  path?: string
  /** Path of its script, where that is there. */
  script?: string
}

/** What there is to pack. */
export interface MapSources {
  maps: MapSource[]
  /** Roots of the sub-packages, when they are known. */
  subPackages: string[]
  problems: Problem[]
  /** The version that the developer gave to WeChat; to be asked when the maps have been read. */
  userVersion?(): string | undefined
  close(): Promise<void>
}

/** Source as a map names it → as the project names it. */
export type SourceNames = ReadonlyMap<string, string>

/** A map as a whole, for what has to read it. */
export function bytesOf({ content }: MapSource): Promise<Buffer> {
  return typeof content === 'string' ? Promise.resolve(readRegular(content)) : buffer(content())
}
