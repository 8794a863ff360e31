import { EXIT, type GzipLevel, type Policy, parsePolicy } from '@symup/core'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'

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
  compression?: GzipLevel
  /** `--ledger FILE`, or false for `--no-ledger`. */
  ledger?: string | false
  resume?: boolean
  proxy?: string
  ca?: string
  /** Seconds. */
  timeBudget?: number
  attempts?: number
  policy?: Policy
  cwd?: string
  /** Commander's form of `--no-config-file`. */
  configFile: boolean
}

const PLATFORMS = ['browser', 'android', 'ios', 'miniprogram', 'harmony']

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
    .option('--disable-git', 'do not say which commit was built')
    .action(async (directory: string, flags) => {
      const { uploadWeb } = await import('./commands/web-upload.ts')
      exitCode = await uploadWeb(directory, flags, version)
    })

  const android = program.command('android').description('mapping files and native symbols of an Android build')
  withAndroidFlags(android.command('upload-mapping').argument('<mapping.txt>', 'mapping file of ProGuard or R8'))
    .description('upload the mapping file of one build variant')
    .option('--trim-indents', 'leave out the spaces that its lines begin with')
    .option('--package-alias <prefix=alias>', 'shorten a package in the uploaded file; may be repeated', keyValue)
    .action(async (file: string, flags) => {
      const { uploadMapping } = await import('./commands/android-upload.ts')
      exitCode = await uploadMapping(file, flags, version)
    })
  withAndroidFlags(android.command('upload-ndk').argument('<dir...>', 'directories with unstripped .so files'))
    .description('upload the native libraries of one build variant, with their symbols')
    .action(async (paths: string[], flags) => {
      const { uploadNdk } = await import('./commands/android-upload.ts')
      exitCode = await uploadNdk(paths, flags, version)
    })

  const harmony = program.command('harmony').description('ArkTS maps and native symbols of a HarmonyOS build')
  withUploadFlags(
    harmony
      .command('upload')
      .argument('<path...>', 'module or project directories, sourceMaps.map, .so, app-symbol.zip'),
  )
    .description('upload what a HarmonyOS build left: maps, name caches, unstripped libraries')
    .option('--debug', 'the debug build is meant (default: release)')
    .option('--product <name>', 'only this product (default: all that were built)')
    .option('--target <name>', 'only this target (default: all that were built)')
    .option('--build-dir <name>', 'name of the build directory, where ohos.buildDir moves it')
    .action(async (paths: string[], flags) => {
      const { uploadHarmony } = await import('./commands/harmony-upload.ts')
      exitCode = await uploadHarmony(paths, flags, version)
    })

  const ios = program.command('ios').description('iOS and macOS debug symbols')
  withUploadFlags(ios.command('upload').argument('<path>', 'a .dSYM, a directory, a .zip or an .xcarchive'))
    .description('upload every dSYM at <path> that will resolve; needs no macOS')
    .action(async (path: string, flags) => {
      const { uploadDsyms } = await import('./commands/ios-upload.ts')
      exitCode = await uploadDsyms(path, flags, version)
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
    .addOption(
      new Option('--platform <name>', 'where the stack is from; default: what its frames look like').choices(PLATFORMS),
    )
    .option('--appid <id>', 'mini program: which one, where several share service and version')
    .option('--variant <name>', 'Android: build variant, where a release has several')
    .option('--build-id <id>', 'Android: id of the app build, where a release has several')
    .option('--mapping <file>', 'use this ProGuard or R8 mapping instead of an intake')
    .option('--source-maps <file>', 'use this sourceMaps.map of a HarmonyOS module instead of an intake')
    .option('--name-cache <file>', 'with --source-maps: its nameCache.json')
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
    .option(
      '--fault <fault>',
      'make uploads fail on purpose: 413, 429;retry-after=2;rate=0.3, 500, 503, reset, slow;delay=3000',
    )
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
  symup ios upload build/Shop.xcarchive
  symup check dist
  symup android upload-mapping app/build/outputs/mapping/freeRelease/mapping.txt
  symup explain stack.txt --dir dist --minified-path-prefix /shop --service shop --release-version 1.2.3
  symup explain crash.txt --mapping mapping.txt
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
    .option('--compression <level>', 'gzip level, 1 to 9 (default: by the speed of the network)', wholeNumber(1, 9))
    .option(
      '--ledger <file>',
      'remember in this file what was sent (default: in node_modules/.cache, where there is one)',
    )
    .option('--no-ledger', 'remember nothing')
    .option('--resume', 'leave out what the ledger says the intake has')
    .option('--proxy <url>', 'proxy to use, or "" for none (default: as the environment says)')
    .option('--ca <file>', 'certificates (PEM) to trust besides the usual ones')
    .option(
      '--attempts <n>',
      'requests made for one artifact before it counts as failed (default: 5)',
      wholeNumber(1, 100),
    )
    .option('--time-budget <seconds>', 'end the run after so long; what is left is not tried', wholeNumber(1, 86_400))
    .option(
      '--policy <policy>',
      'what fails the command: strict (default), ci or local, and kind=fail|warn|ignore',
      policy,
    )
    .option('--cwd <dir>', 'project directory (default: the working directory)')
    .option('--no-config-file', 'ignore symup.json and flashcat-ci.json')
}

function withAndroidFlags(command: Command): Command {
  return withUploadFlags(command)
    .option('--variant <name>', 'build variant, such as freeRelease (default: from the path, or release)')
    .option('--version-code <n>', "the build's versionCode", wholeNumber(0, 2_147_483_647))
    .option('--build-id <id>', 'id of this very app build, when it has one')
    .option('--gradle <path>', 'build.gradle(.kts) to read what is not given (default: here or in app/)')
}

function keyValue(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, key, value] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (key === undefined || value === undefined) throw new InvalidArgumentError('It must be prefix=alias.')
  return { ...before, [key]: value }
}

function policy(text: string): Policy {
  try {
    return parsePolicy(text)
  } catch (error) {
    throw new InvalidArgumentError((error as RangeError).message)
  }
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
