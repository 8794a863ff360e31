import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { Problem } from '@symup/core'

/** A source map that will become an entry of the archive. */
export interface MapSource {
  /** Name in the archive. */
  entry: string
  /** What to call it in a problem. */
  file: string
  /** Path of the map, or what gives its bytes. */
  content: string | (() => AsyncIterable<Buffer>)
}

/** What there is to pack. */
export interface MapSources {
  maps: MapSource[]
  /** Roots of the sub-packages, when they are known. */
  subPackages: string[]
  problems: Problem[]
  close(): Promise<void>
}

/** A map as a whole, for what has to read it. */
export function bytesOf({ content }: MapSource): Promise<Buffer> {
  return typeof content === 'string' ? readFile(content) : buffer(content())
}
