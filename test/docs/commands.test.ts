import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { translateFlags } from '../../packages/cli/src/foreign.ts'
import { programOf } from '../../packages/cli/src/program.ts'
import { ROOT } from '../support/build-fixture.ts'
import { PUBLISHED } from '../support/published.ts'

type Command = ReturnType<typeof programOf>

const pages = [
  'README.md',
  ...PUBLISHED.map((name) => `packages/${name}/README.md`),
  ...['docs', 'docs/recipes'].flatMap((place) =>
    readdirSync(join(ROOT, place)).flatMap((name) => (name.endsWith('.md') ? [`${place}/${name}`] : [])),
  ),
]

interface Fence {
  page: string
  language: string
  text: string
}

const fences = pages.flatMap((page): Fence[] => {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return [...text.matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```/gm)].map(([, , language = '', code = '']) => ({
    page,
    language,
    text: code,
  }))
})

/** A program whose commands accept their arguments and do nothing. */
function idle(): Command {
  const program = programOf('1.0.0', () => undefined)
  const silence = (command: Command): void => {
    command.configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    // Commands with subcommands do nothing themselves, except `symup intake`.
    if (command.commands.length === 0 || command.name() === 'intake') command.action(() => undefined)
    command.commands.forEach(silence)
  }
  silence(program)
  return program
}

/** The words of each `symup` call in a shell text, up to the end of the command. Continued lines are joined. */
function commandsIn(text: string): string[][] {
  const joined = text.replace(/\\\n\s*/g, ' ')
  return joined.split('\n').flatMap((line) => {
    const code = line.replace(/(?:^|\s)#.*$/, '')
    return [...code.matchAll(/(?:^|[\s"'`(&|;])(?:npx )?symup (?!\{|-p )(.+?)(?=\s*(?:&&|\|\||[|;>]|$))/g)].map(
      ([, rest = '']) =>
        (rest.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/, '$2')),
    )
  })
}

async function complaint(words: readonly string[]): Promise<string | undefined> {
  try {
    await idle().parseAsync(translateFlags(words), { from: 'user' })
    return undefined
  } catch (error) {
    const { exitCode, message } = error as Error & { exitCode?: number }
    return exitCode === 0 ? undefined : message
  }
}

describe('every symup command', () => {
  const SHELL = new Set(['sh', 'bash', 'shell', 'console', 'yaml', 'groovy', 'json'])
  const found = fences
    .filter(({ language }) => SHELL.has(language))
    .flatMap(({ page, text }) =>
      commandsIn(language(text)).map((words) => [`${page}: symup ${words.join(' ')}`, words] as const),
    )

  it('accepts every command in a code block', async () => {
    expect(found.length).toBeGreaterThanOrEqual(14)
    const wrong: string[] = []
    for (const [name, words] of found) {
      const why = await complaint(words)
      if (why !== undefined) wrong.push(`${name}: ${why}`)
    }
    expect(wrong).toEqual([])
  })

  it('accepts every command in the examples of the help', async () => {
    const examples = allOf(programOf('1.0.0', () => undefined)).flatMap((command) => {
      let help = ''
      command.configureOutput({ writeOut: (text) => (help += text) })
      command.outputHelp()
      return commandsIn(/^Examples:\n([\s\S]*)/m.exec(help)?.[1] ?? '')
    })
    expect(examples.length).toBeGreaterThan(25)
    const wrong: string[] = []
    for (const words of examples) {
      const why = await complaint(words)
      if (why !== undefined) wrong.push(`symup ${words.join(' ')}: ${why}`)
    }
    expect(wrong).toEqual([])
  })
})

/** The shell also treats a JSON string's quotes as part of words. */
function language(text: string): string {
  return text.trimStart().startsWith('{') ? text.replaceAll('\\"', "'").replace(/": "(.*)",?$/gm, '": $1') : text
}

function allOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allOf)]
}

it.each(fences.filter(({ language: name }) => /^json$|^ya?ml$/.test(name)).map((it) => [it.page, it] as const))(
  '%s: contains only valid JSON and YAML',
  (_, { language: name, text }) => {
    if (/^ya?ml$/.test(name)) expect(() => parseYaml(text)).not.toThrow()
    else expect(() => JSON.parse(text)).not.toThrow()
  },
)
