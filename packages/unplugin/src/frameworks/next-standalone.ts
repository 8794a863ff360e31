import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * Removes the server's source maps from the directory that `output: 'standalone'` creates. Next copies the traced files there, then
 * everything below `server/app` and `server/pages`, and no later hook exists.
 * @param distDir absolute; `.next` by default. Paths below `standalone` equal those below the traced root, which is one of its parents.
 */
export function removeStandaloneMaps(distDir: string): void {
  for (let root = dirname(distDir); ; root = dirname(root)) {
    const copy = join(distDir, 'standalone', relative(root, distDir), 'server')
    if (existsSync(copy)) {
      for (const file of readdirSync(copy, { recursive: true, encoding: 'utf8' }))
        if (file.endsWith('.map')) rmSync(join(copy, file), { force: true })
    }
    if (root === dirname(root)) return
  }
}
