import { join } from 'node:path'
import { afterAll, beforeAll, it } from 'vitest'
import { buildPackages } from '../support/build-package.ts'
import { install } from '../support/install.ts'
import { expectOutcome, runCell, type Situation, TELLING } from './cell.ts'
import { CONDITIONS, type Intakes, startIntakes } from './intakes.ts'
import { TERMINALS } from './terminals.ts'
import { INSTALLED, TOOLS } from './tools.ts'

/**
 * The build as users run it: each bundler's own command in a separate process, in a project outside the workspace, with the config from our
 * README and the published packages. Whole outputs are compared with stored ones. `vitest -u` writes them, so read the difference.
 */
// These tests write keys into uploaded files on purpose.
Object.assign(globalThis, { plantsKeys: true })

let intakes: Intakes
beforeAll(async () => {
  await Promise.all([buildPackages(), install(INSTALLED)])
  intakes = await startIntakes()
}, 300_000)
afterAll(() => intakes.close())

/** The fixture contains the Bun program only for this platform. */
const HAS_BUN = process.platform === 'linux' && process.arch === 'x64'

/** These bundlers run under every condition on every terminal. The other bundlers run only some of these conditions. */
const REFERENCES = ['vite-8', 'webpack']

const PAGES = TOOLS.filter(({ name }) => name !== 'bun' || HAS_BUN).flatMap((tool) => {
  if (!REFERENCES.includes(tool.name)) return [{ tool, page: tool.name, situations: TELLING }]
  return CONDITIONS.map((condition) => {
    const situations = TERMINALS.map((terminal): Situation => [condition, terminal])
    return { tool, page: `${tool.name}/${condition}`, situations }
  })
})

it.concurrent.for(PAGES)('$page', { timeout: 600_000 }, async ({ tool, page, situations }, { expect }) => {
  const texts: string[] = []
  for (const situation of situations) {
    const cell = await runCell(tool, situation, intakes)
    expectOutcome(cell, situation)
    expect(cell.files.filter((file) => file.endsWith('.map'))).toEqual([])
    texts.push(cell.text)
  }
  const file = join(import.meta.dirname, '__snapshots__', `${page.replaceAll(' ', '-')}.txt`)
  await expect(texts.join('\n')).toMatchFileSnapshot(file)
})
