import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { hashOf, once } from './once.ts'

const ROOT = join(import.meta.dirname, '../..')
/** What `symup` and Gradle's companion are made of. The inspector's page is not built. */
const PACKAGES = ['core', 'symbolicate', 'mini-program', 'android', 'intake', 'cli']

/**
 * Bundles the command as it is published, for as long as its sources stay the same: it starts four times as fast as from source. The threads
 * that resolve stacks come from there, too, except while watching, when their sources change.
 */
export default async function setup({ config }: TestProject): Promise<void> {
  const bundler = join(ROOT, 'scripts/bundle.js')
  const directories = PACKAGES.map((name) => join(ROOT, 'packages', name))
  const from = [
    import.meta.filename,
    bundler,
    ...directories.flatMap((it) => [join(it, 'src'), join(it, 'package.json')]),
  ]
  await once(join(ROOT, 'node_modules/.cache/symup-tests/command'), hashOf(from), async () => {
    for (const cwd of directories) {
      await promisify(execFile)(process.execPath, [bundler, ...bundlerArguments(cwd)], { cwd })
    }
  })
  if (!config.watch)
    process.env.SYMUP_BUILT_THREAD = pathToFileURL(join(ROOT, 'packages/symbolicate/dist/worker.js')).href
}

/** Those of the package's own build, without the declarations that come after. */
function bundlerArguments(directory: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  return /bundle\.js ?([^&]*)/.exec(scripts.build)?.[1]?.trim().split(' ').filter(Boolean) ?? []
}
