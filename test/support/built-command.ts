import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { hashOf, once } from './once.ts'

const ROOT = join(import.meta.dirname, '../..')
const BUNDLER = join(ROOT, 'scripts/bundle.js')
/** Records which sources the bundles were built from. Code that builds other bundles in their place removes it. */
export const BUILT_STAMP = join(ROOT, 'node_modules/.cache/symup-tests/command')
/** Packages that `symup` and Gradle's companion consist of. The inspector's page is not built. */
export const PACKAGES = ['core', 'demangle', 'symbolicate', 'mini-program', 'android', 'intake', 'cli']

/**
 * Bundles the command like the published one, as long as its sources stay the same. It starts four times as fast as
 * from source. The threads that resolve stacks also come from there, except while watching, when their sources change.
 */
export default async function setup({ config }: { config: Pick<TestProject['config'], 'watch'> }): Promise<void> {
  const directories = PACKAGES.map((name) => join(ROOT, 'packages', name))
  const from = [
    import.meta.filename,
    BUNDLER,
    ...directories.flatMap((it) => [join(it, 'src'), join(it, 'package.json')]),
  ]
  await once(BUILT_STAMP, hashOf(from), async () => {
    for (const cwd of directories) await bundle(cwd)
  })
  if (!config.watch)
    process.env.SYMUP_BUILT_THREAD = pathToFileURL(join(ROOT, 'packages/symbolicate/dist/worker.js')).href
}

/**
 * Builds `dist` of a package, like its own build does.
 * @param cwd the package's directory.
 */
export async function bundle(cwd: string): Promise<void> {
  await promisify(execFile)(process.execPath, [BUNDLER, ...bundlerArguments(cwd)], { cwd })
}

/** The arguments of the package's own build, without the declarations step. */
function bundlerArguments(directory: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  return /bundle\.js ?([^&]*)/.exec(scripts.build)?.[1]?.trim().split(' ').filter(Boolean) ?? []
}
