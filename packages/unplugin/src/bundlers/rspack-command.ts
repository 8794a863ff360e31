import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** The order in which Rspack's command looks for its config. */
const EXTENSIONS = ['.ts', '.js', '.mts', '.mjs', '.cts', '.cjs']

/**
 * Whether `devtool` is what `rspack build` itself fills in: `false`, and `'source-map'` before version 2, where neither the config nor a flag sets one.
 * The compiler does not tell that from the user's own `devtool: false`, so the config's text is asked: it has to name the setting.
 */
export function isFilledInByCommand(
  devtool: unknown,
  { argv = process.argv, cwd = process.cwd() }: { argv?: readonly string[]; cwd?: string } = {},
): boolean {
  if (devtool !== false && devtool !== 'source-map') return false
  const [, script = '', ...args] = argv
  if (
    !/[\\/]rspack(?:\.[cm]?js)?$/.test(script) ||
    args.some((word) => /^(?:-d|--(?:no-)?devtool)(?:=|$)/.test(word))
  ) {
    return false
  }
  const config = configOf(args, cwd)
  return config !== undefined && !/\bdevtool\b/.test(readFileSync(config, 'utf8'))
}

function configOf(args: readonly string[], cwd: string): string | undefined {
  const at = args.findIndex((word) => /^(?:-c|--config)(?:=|$)/.test(word))
  const named = args[at]?.includes('=') ? args[at].slice(args[at].indexOf('=') + 1) : args[at + 1]
  const candidates = at === -1 ? EXTENSIONS.map((extension) => `rspack.config${extension}`) : [named ?? '']
  return candidates.map((file) => resolve(cwd, file)).find((file) => existsSync(file))
}
