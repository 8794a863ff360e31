import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'vitest'
import type { Ended } from '../support/run-to-end.ts'
import type { Condition, Intakes } from './intakes.ts'
import { normal } from './normal.ts'
import { makeProject, outputOf } from './project.ts'
import { runIn, type Terminal } from './terminals.ts'
import { INSTALLED, type Tool } from './tools.ts'

/** The condition and the terminal of a build. */
export type Situation = readonly [Condition, Terminal]

/** These show how a tool redraws a terminal, how it fails before the build, and how it fails after the upload. */
export const TELLING: readonly Situation[] = [
  ['right', 'terminal'],
  ['no key', 'GitHub Actions'],
  ['leak', 'no terminal'],
]

/** One run of a command. */
export interface Cell extends Ended {
  /** Files left by the build. */
  files: string[]
  /** The output in the form of the stored snapshots. */
  text: string
}

/** Runs a tool's command in its own project. */
export async function runCell(tool: Tool, [condition, terminal]: Situation, intakes: Intakes): Promise<Cell> {
  const project = makeProject(tool, condition === 'leak')
  try {
    const ended = await runIn(terminal, project.command, project.directory, intakes.envFor(condition))
    const files = outputOf(project.directory)
    const places = { directory: project.directory, installed: join(INSTALLED, 'node_modules') }
    const list = normal(files.join('\n'), places).split('\n').sort()
    const left = list.map((file) => `  ${file || 'nothing'}`).join('\n')
    const title = `## ${condition}, ${terminal}: exit code ${ended.exitCode}`
    return { ...ended, files, text: `${title}\n\n${normal(ended.output, places)}\n\nLeft in dist:\n${left}\n` }
  } finally {
    await project.remove()
  }
}

/** Requirements for any output: [the command succeeds, the last of our lines]. */
const OUTCOMES: Readonly<Record<Condition, readonly [succeeds: boolean, last: RegExp]>> = {
  right: [true, /Uploaded \d+ artifacts?/],
  'no key': [true, /No API key is set/],
  'wrong key': [false, /Upload failed: 0 of \d+ artifacts uploaded, \d+ refused/],
  'intake down': [true, /Upload failed: 0 of \d+ artifacts uploaded, \d+ failed/],
  'too large': [true, /Upload failed: 0 of \d+ artifacts uploaded, \d+ refused/],
  leak: [false, /However, the API key was found in .*, which must not be deployed/],
}

/** Without a key, a build passes on a developer's machine, and fails in CI. */
const succeeds = ([condition, terminal]: Situation) =>
  OUTCOMES[condition][0] && !(condition === 'no key' && terminal === 'GitHub Actions')

/** What a failing command may print after our last line: the origin of the error. */
const OF_THE_ERROR = /^[\s│]*(?:at |errors: |warnings: |\}|\{|Node\.js |Bun v|see: |fix: |$)/

/** One of these last lines must show the result of the upload. */
const LAST_LINES = 3

/** The exit code is right, and one of the last lines shows the result. */
export function expectOutcome({ exitCode, output }: Cell, situation: Situation): void {
  const [condition] = situation
  expect(exitCode === 0, output).toBe(succeeds(situation))
  const shown = stripVTControlCharacters(output).split(/\r?\n/)
  const lastLines = shown.filter((line) => !OF_THE_ERROR.test(line)).slice(-LAST_LINES)
  // After a success, and if there was nothing to upload, the bundler's own last lines may follow.
  const isQuiet = condition === 'right' || condition === 'no key'
  expect(isQuiet ? output : lastLines.join('\n'), output).toMatch(OUTCOMES[condition][1])
}
