import type { JsonKind, JsonScanner, JsonVisitor } from '../../formats/source-map/json-scanner.ts'
import { t } from '../../text.ts'
import type { ReceivedPart } from '../kind.ts'
import { scanJson } from './scan-json.ts'

/** The content of a `sourceMaps.map` file: source maps (version 3), keyed by file name. */
export interface ArkTsMap {
  files: number
  /** The sorted module names, which are the package names in the entries. */
  modules: string[]
}

interface Flaw {
  flaw: string
}

/**
 * Reads a `sourceMaps.map` file, which may be untrusted and large.
 * @returns the content, or the reason why the file is not a `sourceMaps.map`.
 * @throws a file system error if the file cannot be read.
 */
export async function readArkTsMap(part: ReceivedPart): Promise<ArkTsMap | Flaw> {
  const visitor = new ArkTsVisitor()
  const flaw = await scanJson(part, visitor)
  const { isObject, isOneMap, files, modules, odd } = visitor
  if (flaw !== undefined) return { flaw }
  if (!isObject) return { flaw: t`The content is not a JSON object.` }
  if (isOneMap) return { flaw: t`The file is the source map of a single file, not the sourceMaps.map of a module.` }
  if (files === 0) return { flaw: t`The file contains no source map.` }
  if (odd !== undefined) return { flaw: t`The entry "${odd.slice(0, 100)}" in the file is not a version 3 source map.` }
  return { files, modules: [...modules].sort() }
}

/** The maximum number of modules to record. No app has this many modules. */
const MAX_MODULES = 100

class ArkTsVisitor implements JsonVisitor {
  scanner: JsonScanner | undefined
  isObject = false
  /** Whether the file is a single map, which has `mappings` at its top level. */
  isOneMap = false
  files = 0
  readonly modules = new Set<string>()
  /** The name of the first entry that is not a map. */
  odd: string | undefined
  #depth = 0
  #name = ''
  #key = ''
  #version: unknown
  #hasMappings = false

  open(isArray: boolean): boolean {
    if (this.#depth === 0) this.isObject = !isArray
    const isWanted = !isArray && this.#depth < 2
    if (isWanted) this.#depth++
    else if (this.#depth === 1) this.#note()
    return isWanted
  }

  close(): void {
    if (this.#depth-- === 2) this.#note()
  }

  key(name: string): boolean {
    if (this.#depth === 2) this.#key = name
    else this.#begin(name)
    return false
  }

  value(kind: JsonKind): void {
    if (this.#depth === 1) this.#note()
    else if (this.#depth === 2 && this.#key === 'mappings') this.#hasMappings = kind === 'string'
    else if (this.#depth === 2 && this.#key === 'version') this.#version = this.scanner?.token
  }

  #begin(name: string): void {
    this.#name = name
    this.#version = undefined
    this.#hasMappings = false
    if (name === 'mappings') this.isOneMap = true
    this.files++
    // In older maps, each name is a path that starts with the module name.
    if (this.modules.size < MAX_MODULES) this.modules.add(name.split(/[|/]/, 1)[0] as string)
  }

  #note(): void {
    const isMap = Number(this.#version) === 3 && this.#hasMappings
    if (!isMap) this.odd ??= this.#name
  }
}
