import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * Removes the source maps of the server from the directory that `output: 'standalone'` makes. Next copies there what it traces, and after that
 * everything below `server/app` and `server/pages`; then no hook of its follows.
 * @param distDir absolute; `.next` by default. What lies below `standalone` has the path that it has below the traced root, one of its parents.
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
