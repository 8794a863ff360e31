import { basename } from 'node:path'
import { isOwnCode, type LostMaps } from '../lost-maps.ts'

interface Source {
  map?(): { mappings?: unknown } | null
}

/** What is used of a module of webpack or Rspack. */
interface Module {
  resource?: string
  loaders?: readonly { loader: string }[]
  originalSource?(): Source | null
  /** Of a concatenated module: what it is made of. */
  modules?: Iterable<Module>
}

/** What was built from modules. */
export interface Built {
  modules?: Iterable<Module>
}

export interface ModuleCompiler {
  webpack?: { sources?: { SourceMapSource: abstract new (...given: never[]) => Source } }
}

/** Finds the sources whose loaders returned an empty map: webpack then maps nothing of them. */
export function findEmptyMaps({ modules = [] }: Built, { webpack }: ModuleCompiler, lostMaps: LostMaps): void {
  const SourceMapSource = webpack?.sources?.SourceMapSource
  if (SourceMapSource === undefined) return
  for (const module of flat(modules)) {
    const { resource = '', loaders = [] } = module
    // Rspack's own loaders return maps, and each source that is asked for is copied.
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

/** `babel-loader`, or the name of a file of the project. */
function nameOf(path: string): string {
  const file = path.replaceAll('\\', '/')
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? basename(file)
}
