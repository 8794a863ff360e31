import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { filesOf, keysOf, leakOf } from './keys.ts'
import { type Ended, runToEnd } from './run-to-end.ts'

export const ROOT = resolve(import.meta.dirname, '../..')
export const VITE_APP = join(ROOT, 'fixtures/vite-app')

const require = createRequire(import.meta.url)

/** Arguments for Node that load the workspace's packages from source. */
export function sourceArguments(): string[] {
  return ['--conditions=symup-source', '--import', pathToFileURL(require.resolve('tsx')).href]
}

/** Builds `fixtures/vite-app` with the real Vite command. Settings come from its config and `env`. */
export function buildViteApp(env: NodeJS.ProcessEnv, viteArguments: string[] = []): Promise<Ended> {
  return buildApp(VITE_APP, env, viteArguments)
}

/** The same for another app with a Vite config. */
export async function buildApp(
  directory: string,
  env: NodeJS.ProcessEnv,
  viteArguments: string[] = [],
): Promise<Ended> {
  const vite = join(dirname(require.resolve('vite/package.json')), 'bin/vite.js')
  const args = [...sourceArguments(), vite, 'build', '--configLoader', 'native', ...viteArguments]
  const { VITEST: _, NODE_ENV: __, ...clean } = process.env
  const ended = await runToEnd(process.execPath, args, { cwd: directory, env: { ...clean, ...env } })
  const leak = leakOf(keysOf([], env), ended.output, filesOf([], directory))
  if (leak !== undefined) throw new Error(`A key that the build was given is ${leak}.`)
  return ended
}
