import type { SourceMapLayout } from '../../formats/source-map/layout.ts'
import { contentOf } from '../../formats/source-map/text.ts'
import type { Tool } from './tool.ts'

/** Matches modules that Nitro adds to each server for storage, assets, errors and public files. */
export const nitro: Tool = {
  name: 'Nitro',
  marks:
    /_assets\[\w+\]\.import\(\)|publicAssetBases|\.mount\(["']\/assets["'], ?assets|\(error, event, ?\{ ?defaultHandler ?\}\)/,
}

/** Returns whether Nitro emptied a map. Nitro empties the maps of scripts that contain library code, but keeps the names of the sources. */
export function isEmptied(layout: SourceMapLayout, names: readonly string[]): boolean {
  return (
    layout.layers.every(({ mappings: { start, end } }) => start === end) &&
    names.length > 0 &&
    names.every((name, source) => name.includes('node_modules') && contentOf(layout, source) === undefined)
  )
}
