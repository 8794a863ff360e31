import { resolve } from 'node:path'
import { defineKind, type ReceivedPart, type Refusal } from '../kind.ts'
import { releaseOfApp } from './app-json.ts'
import { type ArkTsInput, collectArkTs } from './arkts.ts'
import { readReceivedMap } from './arkts-map.ts'
import { examineArkTs } from './check.ts'
import type { HarmonySourceMapEvent } from './event.ts'
import { receivedCacheFlaw } from './name-cache.ts'

const isZip = (file: string) => file.endsWith('.zip')
/**
 * Matches the names of the symbol archives that DevEco Studio creates. A symbol archive with another name is examined only if the user
 * passes it explicitly.
 */
const isAppSymbols = (file: string) => /(?:^|\/)[^/]*app-symbols?[^/]*\.zip$/i.test(file)

export interface Flags {
  debug?: boolean
  product?: string
  target?: string
  buildDir?: string
}

const refusal = (refused: string, flaw: string): Refusal => ({ refused, why: flaw })

/** ArkTS maps of HarmonyOS modules. The command that uploads ArkTS maps also uploads native libraries. */
export const arkts = defineKind<HarmonySourceMapEvent, ArkTsInput, Flags>({
  type: 'harmony_sourcemap',
  label: 'ArkTS source maps',
  platform: 'harmony',
  event: { required: ['service', 'version'] },
  parts: { required: ['source_map'], optional: ['name_cache'] },
  async accept({ parts }) {
    const map = await readReceivedMap(parts.get('source_map') as ReceivedPart)
    if ('flaw' in map) return refusal('source_map', map.flaw)
    const names = parts.get('name_cache')
    const flaw = names && (await receivedCacheFlaw(names))
    if (flaw !== undefined) return refusal('name_cache', flaw)
    // All modules of an app have the same metadata, so only their maps distinguish them.
    return { identity: map.modules }
  },
  collect: collectArkTs,
  check: {
    isOne: (file, single) => /(?:^|[/-])sourceMaps\.map$/.test(file) || isAppSymbols(file) || (single && isZip(file)),
    examine: examineArkTs,
  },
  command: {
    group: { name: 'harmony', description: 'HarmonyOS ArkTS maps and native symbols' },
    argument: '<path...>',
    argumentDescription: 'module or project directories, or sourceMaps.map, .so or app-symbol.zip files',
    description: 'upload the output of a HarmonyOS build: maps, name caches, unstripped libraries',
    flags: {
      debug: { flags: '--debug', description: 'upload the debug build (default: release)' },
      product: {
        flags: '--product <name>',
        description: 'upload only this product (default: all products that were built)',
      },
      target: {
        flags: '--target <name>',
        description: 'upload only this target (default: all targets that were built)',
      },
      buildDir: {
        flags: '--build-dir <name>',
        description: 'name of the build directory, if ohos.buildDir is set',
      },
    },
    examples: [
      'symup harmony upload . --service shop --release-version 1.2.3',
      'symup harmony upload entry --product default --dry-run',
    ],
    inferred: ({ paths: [path], flags: { product } }, cwd) => releaseOfApp(resolve(cwd, path), cwd, product),
    input: ({ paths, flags: { debug, product, target, buildDir: buildDirectory }, ...context }) => ({
      ...context,
      product,
      target,
      buildDirectory,
      paths: paths.map((path) => resolve(context.cwd, path)),
      mode: debug ? 'debug' : 'release',
    }),
  },
  place: () => 'ArkTS',
})
