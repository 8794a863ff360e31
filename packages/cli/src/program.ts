import { EXIT, problem } from '@symup/core'
import { chooseLanguage, LANGUAGES, setLanguage, t } from '@symup/core/text'
import { Command } from 'commander'
import { CommandFailure, reportFailure } from './failure.ts'
import { flagOption } from './flags.ts'
import { refuseVersionOfRelease, translateFlags } from './foreign.ts'
import { helpInLanguage } from './help-language.ts'
import { commandFailure, refuseSwallowedFlags } from './near-miss.ts'
import { registerCheck } from './register/check.ts'
import { registerExplain } from './register/explain.ts'
import { registerIntake } from './register/intake.ts'
import { registerInject, registerKinds, registerPack } from './register/kinds.ts'
import { registerProject } from './register/project.ts'
import { type Registration, withExamples } from './register/registration.ts'
import { registerShell } from './register/shell.ts'
import { registerUpload } from './register/upload.ts'

/** The command groups, in the order in which the help lists them. */
const GROUPS: readonly ((registration: Registration) => void)[] = [
  registerProject,
  registerCheck,
  registerExplain,
  registerUpload,
  registerIntake,
  registerKinds,
  registerInject,
  registerPack,
  registerShell,
]

/** Creates the command-line program. The code of each command is loaded on demand. */
export function programOf(version: string, exit: (code: number) => void): Command {
  const program = new Command('symup')
    .description('Upload symbol files, check that stack traces will resolve, and explain why frames stay unresolved.')
    .version(version, '-V, --version')
    .option('--no-color', 'disable colored output (same as NO_COLOR)')
    .addOption(flagOption('lang'))
    .exitOverride()
    // `runProgram` prints all errors, so Commander must not print any.
    .configureOutput({ outputError: () => undefined })
    .hook('preAction', (_, command) => refuseSwallowedFlags(command))
    .configureHelp({ ...helpInLanguage(), subcommandTerm: termOf, minWidthToWrap: 16 })
    .addHelpText('after', exitCodes())
  withExamples(
    program,
    'symup init',
    'symup check dist',
    'symup upload dist --service shop --release-version 1.2.3 \\',
    '  --minified-path-prefix https://cdn.example.com/shop',
    'symup explain stack.txt --dir dist',
  )
  for (const register of GROUPS) register({ program, version, exit })
  return program
}

export async function runProgram(args: string[], version: string): Promise<number> {
  let exitCode: number = EXIT.ok
  // Set NO_COLOR before parsing, because Commander may already print help or errors.
  if (args.includes('--no-color')) process.env.NO_COLOR = '1'
  const { language, unknown } = chooseLanguage({
    given: languageIn(args),
    env: process.env,
    platform: process.platform,
  })
  setLanguage(language)
  if (unknown !== undefined) return reportFailure(unknownLanguage(unknown), args.includes('--json'))
  const program = programOf(version, (code) => {
    exitCode = code
  })
  try {
    refuseVersionOfRelease(args)
    await program.parseAsync(translateFlags(args), { from: 'user' })
  } catch (error) {
    const failure = commandFailure(error, program, args)
    return failure === undefined ? EXIT.ok : reportFailure(failure, args.includes('--json'))
  }
  return exitCode
}

/** Returns the value of `--lang`. It is read before parsing, because help and errors also depend on the language. */
function languageIn(args: readonly string[]): string | undefined {
  const flag = args.findIndex((it) => it === '--lang' || it.startsWith('--lang='))
  return flag === -1 ? undefined : (args[flag]?.split('=')[1] ?? args[flag + 1])
}

function unknownLanguage(language: string): CommandFailure {
  const fix = t`Allowed values for --lang and SYMUP_LANG: ${LANGUAGES.join(t` or `)}.`
  return new CommandFailure([problem('value-invalid', t`Unknown language "${language}".`, { fix })])
}

function termOf(command: Command): string {
  return [
    command.name(),
    ...command.registeredArguments.map((it) => (it.required ? `<${it.name()}>` : `[${it.name()}]`)),
  ].join(' ')
}

const exitCodes = () =>
  t`\nTo list the flags for all upload commands, run: symup help flags\nExit codes: 0 (success), 1 (failed check or upload),\n            2 (invalid command or configuration), 3 (no symbol files)`
