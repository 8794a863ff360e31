import { EXIT } from '@symup/core'
import { Command, CommanderError, InvalidArgumentError } from 'commander'

/** Flags that every uploading command has. */
export interface UploadFlags {
  apiKey?: string
  endpoint?: string
  site?: string
  service?: string
  releaseVersion?: string
  dryRun?: boolean
  json?: boolean
  quiet?: boolean
  strict?: boolean
  /** File for the problems: `*.sarif`, else GitLab's Code Quality format. */
  output?: string
  concurrency?: number
  cwd?: string
  /** Commander's form of `--no-config-file`. */
  configFile: boolean
}

/** Parses the arguments and runs the command they name. Each command's code is loaded only when it is asked for. */
export async function runProgram(args: string[], version: string): Promise<number> {
  let exitCode: number = EXIT.ok
  const program = new Command('symup')
    .description('Upload symbol files, prove that they will resolve, and see why a stack does not.')
    .version(version, '-V, --version')
    .showHelpAfterError('(symup --help shows the commands and flags)')
    .exitOverride()
    .addHelpText('after', EXAMPLES)

  const web = program.command('web').description('JavaScript and its source maps')
  withUploadFlags(web.command('upload').argument('<dir>', 'output directory of the build'))
    .description('upload every JavaScript file below <dir> that has a source map')
    .option('--minified-path-prefix <prefix>', 'URL or absolute path under which <dir> is deployed')
    .option('--project-path <path>', 'path of the project inside its repository')
    .action(async (directory: string, flags) => {
      const { uploadWeb } = await import('./commands/web-upload.ts')
      exitCode = await uploadWeb(directory, flags, version)
    })

  const miniProgram = program.command('mini-program').description('source maps of WeChat and other mini programs')
  miniProgram
    .command('pack')
    .argument('<dir|zip>', 'directory that the mini program was built into, or a zip that WeChat exported')
    .description('pack the source maps into the archive that the intake takes, and check it')
    .option('-o, --output <file>', 'where to write the archive', 'sourcemap.zip')
    .option('--over <dir>', "with a zip of WeChat's: the build output it was made of, to lead its maps to the sources")
    .option('--json', 'print one JSON document on standard output, prose on standard error')
    .option('--quiet', 'print problems and the last line only')
    .option('--strict', 'count warnings as failures')
    .option('--cwd <dir>', 'project directory (default: the working directory)')
    .action(async (from: string, flags) => {
      const { packMiniProgram } = await import('./commands/mini-program.ts')
      exitCode = await packMiniProgram(from, flags)
    })
  withUploadFlags(miniProgram.command('upload').argument('<zip|dir>', 'the archive, or a directory to pack first'))
    .description('check the archive against the limits and upload it')
    .option('--appid <id>', 'tells mini programs of the same service and version apart')
    .option('--over <dir>', "with a zip of WeChat's: the build output it was made of, to lead its maps to the sources")
    .action(async (from: string, flags) => {
      const { uploadMiniProgram } = await import('./commands/mini-program.ts')
      exitCode = await uploadMiniProgram(from, flags, version)
    })

  program
    .command('check')
    .argument('<dir|file>', 'output directory of a build, or one symbol file')
    .description('tell without a network what would not resolve, and what must not ship')
    .option('--strict', 'count warnings as failures')
    .option('--json', 'print one JSON document on standard output, prose on standard error')
    .option('--quiet', 'print problems and the last line only')
    .option('--api-key <key>', 'key to look for in the files (better: SYMUP_API_KEY in the environment)')
    .option('--cwd <dir>', 'project directory (default: the working directory)')
    .option('--no-config-file', 'ignore symup.json and flashcat-ci.json')
    .action(async (path: string, flags) => {
      const { check } = await import('./commands/check.ts')
      exitCode = await check(path, flags)
    })

  program
    .command('explain')
    .argument('[stack-file]', 'file with the stack, or - for standard input', '-')
    .description('resolve a stack, and say for each frame why it does not')
    .option('--service <name>', 'service that the stack comes from')
    .option('--release-version <version>', 'release that the stack comes from')
    .option('--intake <url>', 'ask this intake')
    .option('--app-key <key>', 'its app key (better: SYMUP_APP_KEY in the environment)')
    .option('--dir <dir>', 'use the maps in this directory instead of an intake')
    .option('--minified-path-prefix <prefix>', 'with --dir: where the directory is deployed')
    .option('--mini-program', 'the stack is from a mini program; --dir is its archive or build')
    .option('--appid <id>', 'with --mini-program: which one, where several share service and version')
    .option('--near <lines>', 'source lines to show on each side', wholeNumber(1, 20), 3)
    .option('--cwd <dir>', 'project directory')
    .option('--no-config-file', 'ignore symup.json and flashcat-ci.json')
    .option('--json', 'print one JSON document')
    .action(async (file: string, flags) => {
      const { explain } = await import('./commands/explain.ts')
      exitCode = await explain(file, flags)
    })

  withUploadFlags(program.command('doctor'))
    .description('show every setting and where it comes from, and try the endpoint and the key')
    .option('--minified-path-prefix <prefix>', 'check this prefix too')
    .option('--proxy <url>', 'proxy to use; default: as the environment says')
    .option('--ca <file>', 'certificates (PEM) to trust besides the usual ones')
    .action(async (flags) => {
      const { runDoctor } = await import('./commands/doctor.ts')
      exitCode = await runDoctor(flags, version)
    })

  program
    .command('init')
    .description('write a minimal symup.json and show what to add to the build that is found')
    .option('--service <name>', 'service name, as the running app reports it (default: the name in package.json)')
    .option('--endpoint <url>', 'address of the intake')
    .option('--force', 'overwrite a symup.json that is there')
    .option('--cwd <dir>', 'project directory (default: the working directory)')
    .action(async (flags) => {
      const { runInit } = await import('./commands/init.ts')
      exitCode = runInit(flags)
    })

  program
    .command('intake')
    .description('run a local intake (needs the package @symup/intake)')
    .option('--port <port>', 'port to listen on, 0 for a free one', wholeNumber(0, 65535), 8642)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--data <dir>', 'keep what is uploaded here; default: a temporary directory')
    .option('--seed <file>', 'YAML or JSON file of accounts, keys, channels, schedules, datasources and rules')
    .action(async (flags) => {
      const { runIntake } = await import('./commands/intake.ts')
      exitCode = await runIntake(flags)
    })

  program
    .command('schema')
    .argument('[name]', 'plan, report, explain, check, doctor or problem')
    .description('print the JSON Schema of what --json prints')
    .action(async (name?: string) => {
      const { printSchema } = await import('./commands/schema.ts')
      exitCode = printSchema(name)
    })

  program
    .command('completion')
    .argument('<shell>', 'bash, zsh or fish')
    .description('print a completion script for the shell')
    .action(async (shell: string) => {
      const { printCompletion } = await import('./commands/completion.ts')
      exitCode = printCompletion(shell, program)
    })

  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Help and version were asked for; everything else is a command that cannot be run.
    return error.exitCode === 0 ? EXIT.ok : EXIT.unusable
  }
  return exitCode
}

const EXAMPLES = `
Examples:
  symup web upload dist --service shop --release-version 1.2.3 --minified-path-prefix https://cdn.example.com/shop
  symup web upload dist --dry-run
  symup mini-program upload dist --service shop --release-version 1.2.3 --appid wx0123456789abcdef
  symup check dist
  symup explain stack.txt --dir dist --minified-path-prefix /shop --service shop --release-version 1.2.3
  symup intake --port 8642

Exit codes: 0 everything accepted, 1 something refused or lost, 2 unusable command or configuration, 3 nothing to upload`

function withUploadFlags(command: Command): Command {
  return command
    .option('--service <name>', 'service name, as the running app reports it')
    .option('--release-version <version>', "release version, as the running app reports it, or 'auto'")
    .option('--api-key <key>', 'API key (better: SYMUP_API_KEY in the environment)')
    .option('--endpoint <url>', 'address of the intake')
    .option('--site <site>', 'CN or STAGING (default: CN)')
    .option('--dry-run', 'show what would be uploaded, send nothing')
    .option('--json', 'print one JSON document on standard output, prose on standard error')
    .option('--quiet', 'print problems and the last line only')
    .option('--strict', 'count warnings as failures')
    .option('--output <file>', 'write the problems to a file: *.sarif, or GitLab Code Quality JSON')
    .option('--concurrency <n>', 'artifacts in flight at a time (default: 4)', wholeNumber(1, 64))
    .option('--cwd <dir>', 'project directory (default: the working directory)')
    .option('--no-config-file', 'ignore symup.json and flashcat-ci.json')
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
    }
    return value
  }
}
