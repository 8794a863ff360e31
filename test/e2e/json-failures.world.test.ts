import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { programOf } from '../../packages/cli/src/program.ts'
import { useDirectory } from '../support/directory.ts'
import { runSymup } from '../support/run-symup.ts'

type Command = ReturnType<typeof programOf>

/** Every command with `--json`, as a user writes it. */
function commandsWithJson(command: Command, words: readonly string[] = []): string[][] {
  const own = command.options.some(({ long }) => long === '--json') ? [[...words]] : []
  return [...own, ...command.commands.flatMap((child) => commandsWithJson(child, [...words, child.name()]))]
}

const COMMANDS = commandsWithJson(programOf('0.0.0', () => undefined)).map((words) => [words.join(' '), words] as const)

const place = useDirectory()
beforeAll(() => {
  for (const directory of ['empty', 'broken', 'locked']) mkdirSync(join(place, directory))
  writeFileSync(join(place, 'text.txt'), 'hello\n')
  writeFileSync(join(place, 'nothing'), '')
  writeFileSync(join(place, 'broken.json'), '{"version":3,')
  writeFileSync(join(place, 'broken/symup.json'), '{"service":')
  symlinkSync('circle', join(place, 'circle'))
})

/** Unusable input for a command: [arguments, working directory]. */
const FAILING: [what: string, args: string[], directory?: string][] = [
  ['no argument', [], 'empty'],
  ['an unknown flag', ['--no-such-flag']],
  ['a missing path', ['no-such-path']],
  ['a loop of links', ['circle']],
  ['an empty directory', ['empty']],
  ['an empty file', ['nothing']],
  ['a text file', ['text.txt']],
  ['truncated JSON', ['broken.json']],
  ['an invalid configuration', ['../text.txt'], 'broken'],
  ['too many arguments', ['a', 'b', 'c', 'd']],
  ['an invalid endpoint', ['text.txt', '--endpoint', 'no address']],
  ['a flag without its value', ['text.txt', '--service']],
]

describe.each(COMMANDS)('symup %s --json', (_, words) => {
  it.each(FAILING)('prints one document for %s', async (_, args, directory = '.') => {
    const { exitCode, stdout, stderr } = await runSymup([...words, ...args, '--json'], { cwd: join(place, directory) })
    const shown = `exit code ${exitCode}\n${stdout}\n${stderr}`
    let document: { problems?: { code: string; message: string; fix: string }[] } = {}
    expect(() => (document = JSON.parse(stdout)), shown).not.toThrow()
    expect(document, shown).toBeTypeOf('object')
    if (exitCode === 0) return
    expect(exitCode, shown).toBeOneOf([1, 2, 3])
    expect(document.problems?.length ?? -1, shown).toBeGreaterThan(0)
    for (const { code, message, fix } of document.problems ?? []) {
      expect(code, shown).toMatch(/^[a-z][a-z-]+$/)
      expect(message, shown).not.toBe('')
      expect(fix, shown).not.toBe('')
    }
    expect(stderr, shown).not.toMatch(/^ +at /m)
  })
})
