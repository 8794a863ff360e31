import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { debugIdOf, mapWithDebugId } from '@symup/core'
import { isScript } from '@symup/core/internal'
import type { PluginBuild } from 'esbuild'

const PLACEHOLDER = '00000000-0000-0000-0000-000000000000'
const COMMENT = `//# debugId=${PLACEHOLDER}`

/**
 * Writes debug ids in esbuild builds. Plugins cannot change the code between hashing and writing. The footer therefore contains a
 * placeholder, which the id replaces after the files are written. The id has the same length as the placeholder, so no position changes.
 * The id depends only on the code, so files with the same name still have the same content. Must be set up before other code that reads the
 * written files.
 */
export function esbuildDebugIds(build: PluginBuild): void {
  const config = build.initialOptions
  const root = config.absWorkingDir ?? process.cwd()
  const footer = config.footer?.js
  config.footer = { ...config.footer, js: footer ? `${footer}\n${COMMENT}` : COMMENT }
  config.metafile = true

  build.onEnd(async ({ metafile, outputFiles }) => {
    if (outputFiles) {
      const maps = new Map(outputFiles.map((file) => [file.path, file]))
      for (const file of outputFiles.filter(({ path }) => isScript(path))) {
        const map = maps.get(`${file.path}.map`)
        const done = replaced(file.text, map?.text)
        file.contents = Buffer.from(done.code)
        if (map && done.map !== undefined) map.contents = Buffer.from(done.map)
      }
      return
    }
    const scripts = Object.keys(metafile?.outputs ?? {}).filter((path) => isScript(path))
    const outputs = new Set(Object.keys(metafile?.outputs ?? {}))
    for (const path of scripts) await rewrite(root, path, outputs.has(`${path}.map`))
  })
}

async function rewrite(root: string, path: string, hasMap: boolean): Promise<void> {
  const file = resolve(root, path)
  const map = hasMap ? await readFile(`${file}.map`, 'utf8') : undefined
  const done = replaced(await readFile(file, 'utf8'), map)
  await writeFile(file, done.code)
  if (done.map !== undefined) await writeFile(`${file}.map`, done.map)
}

/** Replaces the placeholder even in a script without its own map, so that no placeholder remains in its footer. */
function replaced(code: string, map: string | undefined): { code: string; map?: string } {
  const at = code.lastIndexOf(COMMENT)
  if (at === -1) return { code, ...(map !== undefined && { map }) }
  const id = debugIdOf(code)
  const start = at + COMMENT.length - PLACEHOLDER.length
  const withId = code.slice(0, start) + id + code.slice(at + COMMENT.length)
  return { code: withId, ...(map !== undefined && { map: mapWithDebugId(map, id) }) }
}
