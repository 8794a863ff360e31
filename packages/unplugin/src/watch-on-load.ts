import { readFileSync } from 'node:fs'
import type { OnLoadResult, Plugin, PluginBuild } from 'esbuild'
import type { TransformWatch } from './transforms.ts'

/** The map that esbuild takes for what a plugin loaded: the last comment of its text. */
const INLINE_MAP = /\/\/# sourceMappingURL=data:application\/json[^,]*;base64,([\w+/=]+)\s*$/

/** Watches what the plugins behind ours load in the place of files. Nothing of that is changed. */
export function watchOnLoad({ initialOptions }: PluginBuild, transforms: TransformWatch): void {
  for (const plugin of initialOptions.plugins ?? []) watchOne(plugin, transforms)
}

const watchedSetups = new WeakSet<Plugin['setup']>()

function watchOne(plugin: Plugin, transforms: TransformWatch): void {
  const { name, setup } = plugin
  if (typeof setup !== 'function' || name.startsWith('symup') || watchedSetups.has(setup)) return
  const watched: Plugin['setup'] = (build) =>
    setup({
      ...build,
      onLoad: (options, load) =>
        build.onLoad(options, async (given) => {
          const result = await load(given)
          if (given.namespace === 'file') see(given.path, result)
          return result
        }),
    })
  function see(id: string, result: OnLoadResult | null | undefined): void {
    if (result?.contents === undefined) return
    const made = typeof result.contents === 'string' ? result.contents : Buffer.from(result.contents).toString()
    const map = INLINE_MAP.exec(made)?.[1]
    const code = made.replace(INLINE_MAP, '')
    const given = sourceOf(id)
    if (given.trimEnd() === code.trimEnd()) return
    transforms.see(name, { code: given, id, result: { code, map: map && Buffer.from(map, 'base64').toString() } })
  }
  watchedSetups.add(watched)
  try {
    plugin.setup = watched
  } catch {
    // Frozen.
  }
}

/** What the file holds; nothing where it is gone. */
function sourceOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
