import { basename, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'vitest'
import type { Ended } from '../support/run-to-end.ts'
import type { Condition, Intakes } from './intakes.ts'
import { normal } from './normal.ts'
import { makeProject, outputOf } from './project.ts'
import { runIn, type Terminal } from './terminals.ts'
import { INSTALLED, type Tool } from './tools.ts'

/** One run of a command. */
export interface Cell extends Ended {
  terminal: Terminal
  /** What is left of the build. */
  files: string[]
  /** As it is stored. */
  text: string
}

/** Runs a tool's command in a project of its own. */
export async function runCell(tool: Tool, condition: Condition, terminal: Terminal, intakes: Intakes): Promise<Cell> {
  const project = makeProject(tool, condition === 'leak')
  const { installed = INSTALLED, output = 'dist', isListed = () => true, stored = (text) => text } = tool
  try {
    const ended = await runIn(terminal, project.command, project.directory, {
      ...tool.env,
      ...intakes.envFor(condition),
    })
    const files = outputOf(project.directory, output)
    const text = normal(ended.output, { directory: project.directory, installed: join(installed, 'node_modules') })
    const list = normal(files.filter(isListed).join('\n'), { directory: '<none>', installed: '<none>' }).split('\n')
    const left = list
      .sort()
      .join('\n')
      .replaceAll(/^(?=.)/gm, '  ')
    const shown = stored(text, terminal)
    const page = `## ${terminal}: exit code ${ended.exitCode}\n\n${shown}\n\nLeft in ${output}:\n${left || '  nothing'}\n`
    return { ...ended, terminal, files, text: page }
  } finally {
    await project.remove()
  }
}

/** What must be so whatever the output looks like: [the command succeeds, the last of our lines]. */
const OUTCOMES: Readonly<Record<Condition, readonly [succeeds: boolean, last: RegExp]>> = {
  right: [true, /Uploaded (\d+) of \1 artifacts/],
  'no key': [true, /No API key is set/],
  'wrong key': [false, /Upload failed: 0 of \d+ artifacts uploaded, \d+ refused/],
  'intake down': [true, /Upload failed: 0 of \d+ artifacts uploaded, \d+ failed/],
  'too large': [true, /Upload failed: 0 of \d+ artifacts uploaded, \d+ refused/],
  leak: [false, /But the API key is in .*: do not deploy/],
}

/** Without a key a build passes on a developer's machine, and fails in CI. */
const succeeds = (condition: Condition, terminal: Terminal) =>
  OUTCOMES[condition][0] && !(condition === 'no key' && terminal === 'GitHub Actions')

/** What a command that fails may print after our last line: where the error comes from. */
const OF_THE_ERROR = /^[\s│]*(?:at |errors: |warnings: |\}|\{|Node\.js |Bun v|see: |fix: |$)/

/** Of these one has to say what became of the upload, when all is over. */
const LAST_LINES = 3

/** The exit code, and that one of the last lines tells the truth. */
export function expectOutcome({ terminal, exitCode, output }: Cell, condition: Condition): void {
  expect(exitCode === 0, output).toBe(succeeds(condition, terminal))
  const shown = stripVTControlCharacters(output).split(/\r?\n/)
  const lastLines = shown.filter((line) => !OF_THE_ERROR.test(line)).slice(-LAST_LINES)
  // Of a success whatever the bundler still has to say may follow.
  expect(condition === 'right' ? output : lastLines.join('\n'), output).toMatch(OUTCOMES[condition][1])
}

/** Where the outputs of a tool in a condition are stored, and what stands there. */
export function storedPage(tool: Tool, condition: Condition, cells: readonly Cell[]): { file: string; page: string } {
  const command = [typeof tool.bin === 'string' ? basename(tool.bin) : tool.bin[1], ...tool.args].join(' ')
  const page = `# ${command}: ${condition}\n\n${cells.map(({ text }) => text).join('\n')}`
  return { page, file: join(import.meta.dirname, '__snapshots__', tool.name, `${condition.replaceAll(' ', '-')}.txt`) }
}
