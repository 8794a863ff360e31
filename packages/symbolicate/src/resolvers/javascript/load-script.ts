import { isHermesBytecode } from '@symup/core/internal'
import type { ScriptArtifact } from '../../artifacts.ts'
import type { WeightedCache } from '../../cache.ts'
import { analyseFunctions, type FunctionNames } from './function-names.ts'
import { parseSourceMap, type SourceMap } from './source-map.ts'

/** A script's parsed map, and what else is known of it. */
export interface Script {
  map?: SourceMap
  names?: FunctionNames
  /** Columns of each line of the script. */
  columns?: readonly number[]
  /** Why there is no map. */
  flaw?: string
}

export async function loadScript(artifact: ScriptArtifact, cache: WeightedCache<Script>): Promise<Script> {
  const cached = cache.get(artifact.contentKey)
  if (cached) return cached
  const mapBytes = await artifact.readMap()
  const scriptBytes = await artifact.readScript()
  let script: Script
  try {
    const map = parseSourceMap(mapBytes)
    // Of bytecode nothing is known but its map.
    const isText = scriptBytes && !isHermesBytecode(Buffer.from(scriptBytes.subarray(0, 8)))
    script = { map, ...(isText && factsOf(new TextDecoder().decode(scriptBytes), map)) }
  } catch (error) {
    script = { flaw: (error as Error).message.slice(0, 200) }
  }
  cache.set(artifact.contentKey, script, mapBytes.length + (scriptBytes?.length ?? 0))
  return script
}

function factsOf(text: string, map: SourceMap): Pick<Script, 'names' | 'columns'> {
  // Parsing takes long, and maps with functions of their own do without.
  let names: FunctionNames | undefined
  const nameAt: FunctionNames['nameAt'] = (line, column) => {
    names ??= analyseFunctions(text, map)
    return names.nameAt(line, column)
  }
  return { names: { nameAt }, columns: text.split('\n').map((line) => line.length) }
}
