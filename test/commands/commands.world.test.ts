import { afterAll, beforeAll, describe, it } from 'vitest'
import { buildPackages } from '../support/build-package.ts'
import { install } from '../support/install.ts'
import { atATime } from './at-a-time.ts'
import { expectOutcome, runCell, storedPage } from './cell.ts'
import { CONDITIONS, type Intakes, startIntakes } from './intakes.ts'
import { TERMINALS } from './terminals.ts'
import { INSTALLED, TOOLS, type Tool } from './tools.ts'

/**
 * The build as users run it: each bundler's own command as a process of its own, in a project outside the workspace, with the config of our
 * README and the packages as they are published. Whole outputs are compared with stored ones (`vitest -u` writes them: read the difference).
 */
// One of the conditions is a key in what is uploaded.
Object.assign(globalThis, { plantsKeys: true })

let intakes: Intakes
beforeAll(async () => {
  await Promise.all([buildPackages(), install(INSTALLED)])
  intakes = await startIntakes()
}, 300_000)
afterAll(() => intakes.close())

/** More than there are cores: those that wait for an intake that is away need none. */
const turn = atATime(4)

/** The fixture has Bun's program for this platform. */
const HAS_BUN = process.platform === 'linux' && process.arch === 'x64'

/** The older Vites print what the newest does: once is enough for them. */
const terminalsOf = ({ name }: Tool) => (/^vite-[5-7]$/.test(name) ? TERMINALS.slice(0, 1) : TERMINALS)

describe.each(TOOLS.filter(({ name }) => name !== 'bun' || HAS_BUN))(
  '$name',
  (tool) => {
    it.concurrent.for(CONDITIONS)('%s', async (condition, { expect }) => {
      const cells = await Promise.all(
        terminalsOf(tool).map((terminal) => turn(() => runCell(tool, condition, terminal, intakes))),
      )
      for (const cell of cells) {
        expectOutcome(cell, condition)
        expect(cell.files.filter((file) => file.endsWith('.map'))).toEqual([])
      }
      const { page, file } = storedPage(tool, condition, cells)
      await expect(page).toMatchFileSnapshot(file)
    })
  },
  600_000,
)
