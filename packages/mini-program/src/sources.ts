import { buffer } from 'node:stream/consumers'
import type { Problem } from '@symup/core'
import { readRegular } from '@symup/core/internal'

export interface MapSource {
  /** Name of the map in the archive. */
  entry: string
  /** Name of the map in problems. */
  file: string
  /** Path of the map, or a function that returns its bytes. */
  content: string | (() => AsyncIterable<Buffer>)
  /** Path of the map on disk, if its bytes come from another place. */
  path?: string
  /** Path of the map's script, if it exists. */
  script?: string
}

export interface MapSources {
  maps: MapSource[]
  /** Roots of the sub-packages, if known. */
  subPackages: string[]
  problems: Problem[]
  /** Returns the version that the developer entered for WeChat. Call it after the maps have been read. */
  userVersion?(): string | undefined
  close(): Promise<void>
}

export function bytesOf({ content }: MapSource): Promise<Buffer> {
  return typeof content === 'string' ? Promise.resolve(readRegular(content)) : buffer(content())
}
