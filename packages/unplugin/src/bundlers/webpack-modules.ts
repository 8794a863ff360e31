import { basename } from 'node:path'
import { isOwnCode, type LostMaps } from '../lost-maps.ts'
import type { Compilation, Compiler, Module } from './webpack-types.ts'

/** Finds sources whose loaders returned an empty map. webpack then maps nothing of them. */
export function findEmptyMaps(
  { modules = [] }: Pick<Compilation, 'modules'>,
  { SourceMapSource }: Pick<Compiler['webpack']['sources'], 'SourceMapSource'>,
  lostMaps: LostMaps,
): void {
  for (const module of flat(modules)) {
    const { resource = '', loaders = [] } = module
    // Rspack's built-in loaders return maps, and reading a source would copy it.
    const others = loaders.map(({ loader }) => loader).filter((loader) => !loader.startsWith('builtin:'))
    if (others.length === 0 || !isOwnCode(resource)) continue
    const source = module.originalSource?.()
    if (!(source instanceof SourceMapSource) || source.map?.()?.mappings !== '') continue
    lostMaps.add(resource, others.map(nameOf).join(', '))
  }
}

function* flat(modules: Iterable<Module>): Generator<Module> {
  for (const module of modules) {
    if (module.modules) yield* module.modules
    else yield module
  }
}

/** `babel-loader`, or the name of a project file. */
function nameOf(path: string): string {
  const file = path.replaceAll('\\', '/')
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? basename(file)
}
