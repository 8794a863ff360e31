import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { buildPackages } from '../support/build-package.ts'
import { install } from '../support/install.ts'
import { atATime } from './at-a-time.ts'
import { CONDITIONS, type Condition, type Intakes, startIntakes } from './intakes.ts'
import { normal } from './normal.ts'
import { makeProject, outputOf } from './project.ts'
import { type Ended, runIn, TERMINALS, type Terminal } from './terminals.ts'
import { INSTALLED, TOOLS, type Tool } from './tools.ts'

/**
 * The build as users run it: each bundler's own command as a process of its own, in a project outside the workspace, with the config of our
 * README and the packages as they are published. Whole outputs are compared with stored ones (`vitest -u` writes them: read the difference).
 */
let intakes: Intakes
beforeAll(async () => {
  await Promise.all([buildPackages(), install(INSTALLED)])
  intakes = await startIntakes()
}, 300_000)
afterAll(() => intakes.close())

/** Two of two cores; those that wait for an intake that is away need none. */
const turn = atATime(3)

interface Cell extends Ended {
  files: string[]
  /** As it is stored. */
  text: string
}

function cell(tool: Tool, condition: Condition, terminal: Terminal): Promise<Cell> {
  return turn(async () => {
    const project = makeProject(tool, condition === 'leak')
    try {
      const ended = await runIn(terminal, project.command, project.directory, intakes.envFor(condition))
      const files = outputOf(project.directory)
      const shown = normal(ended.output, { directory: project.directory, installed: join(INSTALLED, 'node_modules') })
      const left = normal(files.map((file) => `  ${file}\n`).join(''), { directory: '/', installed: '/' })
      const text = `## ${terminal}: exit code ${ended.exitCode}\n\n${shown}\n\nLeft in dist:\n${left || '  nothing'}\n`
      return { ...ended, files, text }
    } finally {
      await project.remove()
    }
  })
}

/** What must be so whatever the output looks like: [the command succeeds, the last of our lines]. */
const OUTCOMES: Readonly<Record<Condition, readonly [succeeds: boolean, last: RegExp]>> = {
  right: [true, /Uploaded (\d) of \1 artifacts/],
  'no key': [false, /No API key is set/],
  'wrong key': [false, /Upload failed: 0 of \d artifacts uploaded, \d refused/],
  'intake down': [true, /Upload failed: 0 of \d artifacts uploaded, \d failed/],
  'too large': [true, /Upload failed: 0 of \d artifacts uploaded, \d refused/],
  leak: [true, /API key/],
}

describe.each(TOOLS)(
  '$name',
  (tool) => {
    it.concurrent.for(CONDITIONS)('%s', async (condition, { expect }) => {
      const cells = await Promise.all(TERMINALS.map((terminal) => cell(tool, condition, terminal)))
      const [succeeds, last] = OUTCOMES[condition]
      for (const { exitCode, output } of cells) {
        expect(exitCode === 0, output).toBe(succeeds)
        expect(output).toMatch(last)
      }
      const page = `# ${[tool.bin === 'node' ? 'node' : tool.bin[1], ...tool.args].join(' ')}: ${condition}\n\n`
      const file = join(import.meta.dirname, '__snapshots__', tool.name, `${condition.replaceAll(' ', '-')}.txt`)
      await expect(page + cells.map(({ text }) => text).join('\n')).toMatchFileSnapshot(file)
    })
  },
  240_000,
)
