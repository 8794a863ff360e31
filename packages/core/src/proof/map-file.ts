import type { ByteSource } from '../formats/source-map/bytes.ts'
import type { SourceMapLayout } from '../formats/source-map/layout.ts'

export interface MapFile {
  bytes: ByteSource
  layout: SourceMapLayout
}
