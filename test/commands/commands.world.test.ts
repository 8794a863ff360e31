import { basename, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
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

interface Cell extends Ended {
  terminal: Terminal
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
      const left = normal(files.map((file) => `  ${file}\n`).join(''), { directory: '<none>', installed: '<none>' })
      const text = `## ${terminal}: exit code ${ended.exitCode}\n\n${shown}\n\nLeft in dist:\n${left || '  nothing'}\n`
      return { ...ended, terminal, files, text }
    } finally {
      await project.remove()
    }
  })
}

/** What must be so whatever the output looks like: [the command succeeds, the last of our lines]. */
const OUTCOMES: Readonly<Record<Condition, readonly [succeeds: boolean, last: RegExp]>> = {
  right: [true, /Uploaded (\d) of \1 artifacts/],
  'no key': [true, /No API key is set/],
  'wrong key': [false, /Upload failed: 0 of \d artifacts uploaded, \d refused/],
  'intake down': [true, /Upload failed: 0 of \d artifacts uploaded, \d failed/],
  'too large': [true, /Upload failed: 0 of \d artifacts uploaded, \d refused/],
  leak: [false, /But the API key is in dist.*: do not deploy/],
}

/** Without a key a build passes on a developer's machine, and fails in CI. */
const succeeds = (condition: Condition, terminal: Terminal) =>
  OUTCOMES[condition][0] && !(condition === 'no key' && terminal === 'GitHub Actions')

/** What a command that fails may print after our last line: where the error comes from. */
const OF_THE_ERROR = /^\s*(?:at |errors: |warnings: |\}|\{|Node\.js |see: |fix: |$)/

/** Of these one has to say what became of the upload, when all is over. */
const LAST_LINES = 3

/** The fixture has Bun's program for this platform. */
const HAS_BUN = process.platform === 'linux' && process.arch === 'x64'

/** The older Vites print what the newest does: once is enough for them. */
const terminalsOf = ({ name }: Tool) => (/^vite-[5-7]$/.test(name) ? TERMINALS.slice(0, 1) : TERMINALS)

describe.each(TOOLS.filter(({ name }) => name !== 'bun' || HAS_BUN))(
  '$name',
  (tool) => {
    it.concurrent.for(CONDITIONS)('%s', async (condition, { expect }) => {
      const cells = await Promise.all(terminalsOf(tool).map((terminal) => cell(tool, condition, terminal)))
      for (const { terminal, exitCode, output, files } of cells) {
        expect(exitCode === 0, output).toBe(succeeds(condition, terminal))
        const shown = stripVTControlCharacters(output).split(/\r?\n/)
        const lastLines = shown.filter((line) => !OF_THE_ERROR.test(line)).slice(-LAST_LINES)
        // Of a success whatever the bundler still has to say may follow.
        expect(condition === 'right' ? output : lastLines.join('\n'), output).toMatch(OUTCOMES[condition][1])
        expect(files.filter((file) => file.endsWith('.map'))).toEqual([])
      }
      const page = `# ${[typeof tool.bin === 'string' ? basename(tool.bin) : tool.bin[1], ...tool.args].join(' ')}: ${condition}\n\n`
      const file = join(import.meta.dirname, '__snapshots__', tool.name, `${condition.replaceAll(' ', '-')}.txt`)
      await expect(page + cells.map(({ text }) => text).join('\n')).toMatchFileSnapshot(file)
    })
  },
  600_000,
)
