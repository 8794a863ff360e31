import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** The default cache directory: next to the project's packages if there are any, otherwise in the user's cache. */
export function defaultCacheDirectory(projectDirectory: string, env: NodeJS.ProcessEnv): string {
  const packages = join(resolve(projectDirectory), 'node_modules')
  return existsSync(packages) ? join(packages, '.cache/symup') : join(userCache(env), 'symup')
}

function userCache(env: NodeJS.ProcessEnv): string {
  if (env.XDG_CACHE_HOME) return env.XDG_CACHE_HOME
  if (process.platform === 'win32' && env.LOCALAPPDATA) return env.LOCALAPPDATA
  return join(env.HOME || homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache')
}
