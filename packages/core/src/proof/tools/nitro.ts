import type { SourceMapLayout } from '../../formats/source-map/layout.ts'
import { contentOf } from '../../formats/source-map/text.ts'
import type { Tool } from './tool.ts'

/** Modules that Nitro adds to each server: storage, assets, errors, public files. */
export const nitro: Tool = {
  name: 'Nitro',
  marks:
    /_assets\[\w+\]\.import\(\)|publicAssetBases|\.mount\(["']\/assets["'], ?assets|\(error, event, ?\{ ?defaultHandler ?\}\)/,
}

/** Whether Nitro emptied a map. It does so for scripts with library code, but keeps the names of their sources. */
export function isEmptied(layout: SourceMapLayout, names: readonly string[]): boolean {
  return (
    layout.layers.every(({ mappings: { start, end } }) => start === end) &&
    names.length > 0 &&
    names.every((name, source) => name.includes('node_modules') && contentOf(layout, source) === undefined)
  )
}
