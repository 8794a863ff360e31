import { buffer } from 'node:stream/consumers'
import type { Problem } from '@symup/core'
import { readRegular } from '@symup/core/internal'

export interface MapSource {
  entry: string
  file: string
  /** The path of the map, or a function that returns its bytes. */
  content: string | (() => AsyncIterable<Buffer>)
  /** The path of the map file, if `content` is a function. */
  path?: string
  script?: string
}

export interface MapSources {
  maps: MapSource[]
  subPackages: string[]
  problems: Problem[]
  /** The version that the developer entered in WeChat's tools. Available only after the maps have been read. */
  userVersion?(): string | undefined
  close(): Promise<void>
}

export function bytesOf({ content }: MapSource): Promise<Buffer> {
  return typeof content === 'string' ? Promise.resolve(readRegular(content)) : buffer(content())
}
