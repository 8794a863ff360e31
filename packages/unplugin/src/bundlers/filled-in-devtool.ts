import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { withoutLiterals } from '@symup/core/internal'

interface Command {
  /** The script that it is. */
  script: RegExp
  /** Names of its config, in the order in which it looks for them. */
  configs: readonly string[]
  /** The flag that names another. */
  flag: RegExp
  /** What names another where no flag does. */
  named?(cwd: string): string | undefined
}

/** Commands that fill `devtool` in. */
const COMMANDS: readonly Command[] = [
  {
    script: /[\\/]rspack(?:\.[cm]?js)?$/,
    configs: ['.ts', '.js', '.mts', '.mjs', '.cts', '.cjs'].map((extension) => `rspack.config${extension}`),
    flag: /^(?:-c|--config)(?:=|$)/,
  },
  {
    script: /[\\/]nest(?:\.js)?$/,
    configs: ['webpack.config.js'],
    flag: /^--webpackPath(?:=|$)/,
    named: configOfNest,
  },
]

function configOfNest(cwd: string): string | undefined {
  try {
    const { compilerOptions } = JSON.parse(readFileSync(resolve(cwd, 'nest-cli.json'), 'utf8'))
    const { webpackConfigPath, builder } = compilerOptions
    // Of another builder it is a tsconfig.json.
    return webpackConfigPath ?? (builder?.type === 'webpack' ? builder.options?.configPath : undefined)
  } catch {
    return undefined
  }
}

/**
 * Whether `devtool` is what `rspack build` or `nest build` itself fills in: `false`, and Rspack before version 2 `'source-map'`, where neither the config nor a flag sets one.
 * The compiler does not tell that from the user's own `devtool: false`, so the config's text is asked: something in its code has to make it so.
 */
export function isFilledInByCommand(
  devtool: unknown,
  { argv = process.argv, cwd = process.cwd() }: { argv?: readonly string[]; cwd?: string } = {},
): boolean {
  if (devtool !== false && devtool !== 'source-map') return false
  const [, script = '', ...args] = argv
  const command = COMMANDS.find((it) => it.script.test(script))
  if (!command || args.some((word) => /^(?:-d|--(?:no-)?devtool)(?:=|$)/.test(word))) return false
  const config = configOf(command, args, cwd)
  return config !== undefined && !maySet(readFileSync(config, 'latin1'), devtool)
}

/** The setting's name, a quoted one too. */
const NAMED = /(?<![\w$])(["'`]?)devtool\1(?![\w$])/g
/** What makes it a setting, and the value: up to a comma, a brace, or a line that begins with a word. */
const SET = /^\s*\]?\s*(?::|=(?![=>]))\s*([^,;{}]*?)\s*(?:[,;{}]|\n\s*[\w$]|$)/
const UNSET = /^(?:undefined|void 0)$/
const TEXT = /^(["'`])([^"'`$]*)\1$/
const QUOTE = /^["'`]/
const VARIABLE = /^process\.env(?:\.\w+|\[["'`]\s*["'`]\])$/

/** Whether anything outside of a config's comments and texts may be what sets `devtool` to a value. */
function maySet(text: string, devtool: false | 'source-map'): boolean {
  const code = withoutLiterals(text)
  return [...text.matchAll(NAMED)].some(({ 0: name, 1: quote = '', index }) => {
    const behind = index + name.length
    // In a comment or a text neither the name nor its quotes are code.
    if (quote === '' ? !code.startsWith(name, index) : code[index] !== quote || code[behind - 1] !== quote) return false
    const set = SET.exec(code.slice(behind))
    // To read it, or to say it, sets nothing.
    if (!set) return quote === '' && code[index - 1] !== '.'
    const value = set[1] as string
    const from = behind + set[0].indexOf(value)
    return outcomesOf(value, text.slice(from, from + value.length)).some((one) => !isOther(one, devtool))
  })
}

/** What may come of an expression: of a condition, what stands behind it. */
function outcomesOf(code: string, text: string): string[] {
  const ends = [...code.matchAll(/\?\?|\?(?!\.)|:|\|\||&&|$/g)]
  let [from, choices] = [0, [] as string[]]
  return ends.flatMap(({ 0: end, index }) => {
    // A comment in it is none in its code; what a text says is not in its code.
    const [choice = '', said = ''] = [code, text].map((either) =>
      either
        .slice(from, index)
        .trim()
        .replace(/^\(+|\)+$/g, ''),
    )
    choices.push(QUOTE.test(choice) ? said : choice)
    from = index + end.length
    if (end === '||' || end === '&&' || end === '??') return []
    const found = end === '?' ? [] : choices
    choices = []
    return found
  })
}

/** Whether it is certainly another value. A variable of the environment is a text or nothing. */
function isOther(outcome: string, devtool: false | 'source-map'): boolean {
  if (UNSET.test(outcome) || (devtool === false && VARIABLE.test(outcome))) return true
  const said = TEXT.exec(outcome)?.[2]
  return said !== undefined && said !== devtool
}

function configOf({ configs, flag, named }: Command, args: readonly string[], cwd: string): string | undefined {
  const at = args.findIndex((word) => flag.test(word))
  const flagged = args[at]?.includes('=') ? args[at].slice(args[at].indexOf('=') + 1) : (args[at + 1] ?? '')
  const file = at === -1 ? named?.(cwd) : flagged
  const candidates = file === undefined ? configs : [file]
  return candidates.map((file) => resolve(cwd, file)).find((file) => existsSync(file))
}
