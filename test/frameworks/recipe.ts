import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Intake } from '@symup/intake'
import { expect } from 'vitest'
import { runIn } from '../commands/terminals.ts'
import { ROOT } from '../support/build-fixture.ts'

/** Where the tools of all recipes are installed; below it the apps, one directory for each recipe. */
export const RECIPES = join(ROOT, 'fixtures/commands/recipes')

/** An app with the files that a recipe tells its reader to write. */
export interface RecipeApp {
  directory: string
  /** Where it uploads to, in its environment. */
  settings: NodeJS.ProcessEnv
  /** Runs the script of an installed package; `program` is the Node that runs it. @returns what it printed. @throws when it fails. */
  run(script: string, args?: readonly string[], options?: RunOptions): Promise<string>
  /** Files below a directory of the app, `/`-separated. */
  files(below: string): string[]
  remove(): void
}

interface RunOptions {
  /** Directory below the app. Default: the app's. */
  below?: string
  program?: string
  env?: NodeJS.ProcessEnv
}

/**
 * Copies an app and writes into it every fenced block of a page whose first line names a file (`// vite.config.js`), so what is tested is
 * what the page says. It lies below what is installed, where its packages are found.
 * @param page below `docs/recipes`.
 */
export function recipeApp(name: string, page: string, intake: Intake): RecipeApp {
  const directory = mkdtempSync(join(RECIPES, '.build-'))
  cpSync(join(RECIPES, name), directory, { recursive: true })
  const text = readFileSync(join(ROOT, 'docs/recipes', page), 'utf8')
  for (const [, block = '', file] of text.matchAll(/```\w+\n(\/\/ (\S+)\n[\s\S]*?)```/g)) {
    const place = join(directory, file as string)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, block)
  }
  const settings = { SYMUP_ENDPOINT: intake.url, SYMUP_API_KEY: 'dev-api-key', NO_COLOR: '1', NODE_ENV: 'production' }
  return {
    directory,
    settings,
    async run(script, args = [], { below = '.', program = process.execPath, env = {} } = {}) {
      const command = [program, join(RECIPES, 'node_modules', script), ...args]
      const ended = await runIn('no terminal', command, join(directory, below), { ...settings, ...env })
      expect(ended.exitCode, ended.output).toBe(0)
      return ended.output
    },
    files: (below) =>
      readdirSync(join(directory, below), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name).slice(join(directory, below).length + 1))
        .sort(),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}
