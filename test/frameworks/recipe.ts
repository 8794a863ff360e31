import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { Intake } from '@symup/intake'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { runIn } from '../commands/terminals.ts'
import { makePrograms } from '../docs/scratch-project.ts'
import { ROOT } from '../support/build-fixture.ts'
import { buildPackages } from '../support/build-package.ts'
import { filesBelow } from '../support/files-below.ts'
import { install } from '../support/install.ts'
import { useIntake } from '../support/intake.ts'

/** Where the tools of all recipes are installed. The apps are below it, one directory per recipe. */
export const RECIPES = join(ROOT, 'fixtures/commands/recipes')

/** An app with the files that a recipe contains. */
export interface RecipeApp {
  directory: string
  /** Environment variables with the upload target. */
  settings: NodeJS.ProcessEnv
  /** Runs the script of an installed package; `program` is the Node to use. @returns the output. @throws if it fails. */
  run(script: string, args?: readonly string[], options?: RunOptions): Promise<string>
  /** Files below a directory of the app, `/`-separated. */
  files(below: string): string[]
  remove(): void
}

interface RunOptions {
  /** Directory below the app. Default: the app itself. */
  below?: string
  program?: string
  env?: NodeJS.ProcessEnv
}

/**
 * Copies an app and writes every fenced block of a page whose first line contains a file name (`// vite.config.js`), so
 * that the page itself is tested. The copy is below the installed packages, where its imports are found.
 * @param page below `docs/recipes`.
 */
function recipeApp(name: string, page: string, intake: Pick<Intake, 'url'>): RecipeApp {
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
    files: (below) => filesBelow(join(directory, below)),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

interface Frame {
  file: string
  line: number
  converted: boolean
  note?: string
}

/** The position of a text in a source of the app: `src/a.js:3`. */
export function placeOf(app: RecipeApp, file: string, text: string): string {
  const before = readFileSync(join(app.directory, file), 'utf8').split(text)
  if (before.length !== 2) throw new Error(`"${text}" does not stand once in ${file}`)
  return `${file.replace(/^.*?(?=src\/)/, '')}:${before[0]?.split('\n').length}`
}

/** Programs as a reader's shell would find them: `symup`, and a tool of the recipe. @returns the environment. */
export function withPrograms(
  app: RecipeApp,
  name: string,
  script: string,
  program = process.execPath,
): NodeJS.ProcessEnv {
  const bin = makePrograms(app.directory)
  const text = `#!/bin/sh\nexec '${program}' '${join(RECIPES, 'node_modules', script)}' "$@"\n`
  writeFileSync(join(bin, name), text, { mode: 0o755 })
  return { ...app.settings, PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: app.directory }
}

/** The first shell lines of a page. */
export function commandsOf(page: string): string {
  const [, lines = ''] = /```sh\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/recipes', page), 'utf8')) ?? []
  return lines
}

/** Serves a directory's files to a page under an address, without a network. */
export async function deployed(page: Page, url: string, directory: string): Promise<void> {
  await page.route(`${url}**`, async (route) => {
    const file = route.request().url().slice(url.length) || 'index.html'
    await route.fulfill({ path: join(directory, file), headers: { 'Access-Control-Allow-Origin': '*' } })
  })
}

interface RecipeEvent {
  stack: string
  service: string
  version: string
  debugIds?: object
}

/** The frames of an event, resolved by the intake. */
async function framesOf(intake: Pick<Intake, 'url'>, event: RecipeEvent): Promise<Frame[]> {
  const { debugIds, ...question } = event
  const response = await fetch(`${intake.url}/sourcemap/stack/enrich?app_key=dev-app-key`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'browser', ...question, ...(debugIds && { debug_ids: debugIds }) }),
  })
  const { data } = (await response.json()) as { data: { frames: Frame[] } }
  return data.frames
}

/** Installs the tools for a test file and runs an intake. */
export function useRecipes() {
  const intake = useIntake()
  const apps: RecipeApp[] = []
  beforeAll(() => Promise.all([buildPackages(), install(RECIPES)]), 300_000)
  afterAll(() => {
    for (const app of apps) app.remove()
  })
  return {
    made(name: string, page: string): RecipeApp {
      const app = recipeApp(name, page, intake)
      apps.push(app)
      return app
    },
    framesOf: (event: RecipeEvent) => framesOf(intake, event),
    /** `src/a.js:3` for each frame; `?` if it does not resolve. */
    async resolved(event: RecipeEvent): Promise<string[]> {
      const frames = await framesOf(intake, event)
      return frames.map(({ file, line, converted }) =>
        converted ? `${file.replace(/^.*?(?=src\/)/, '')}:${line}` : '?',
      )
    },
  }
}
