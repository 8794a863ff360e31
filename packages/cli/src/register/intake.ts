import { type Command, InvalidArgumentError, Option } from 'commander'
import { wholeNumber } from '../flags.ts'
import { duration, size } from '../quantity.ts'
import { type Registration, withExamples } from './registration.ts'

export function registerIntake({ program, exit }: Registration): void {
  const intake = program
    .command('intake')
    .description('run a local intake (needs @symup/intake)')
    .option('--port <port>', 'port, or 0 for any free port', wholeNumber(0, 65535), 8642)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--inspector', 'serve the inspector page even if other machines can reach it (it has no login)')
    .option('--rum', 'show errors that the browser SDK sends to <url>/rum')
    .option('--allow-host <name...>', 'additional host names for the inspector page')
    .addOption(
      new Option('--log-level <level>', 'log requests to standard error as JSON').choices([
        'debug',
        'info',
        'warn',
        'error',
      ]),
    )
    .option('--seed <file>', 'YAML or JSON file with accounts, keys and rules')
    .option(
      '--fault <fault...>',
      'one or more faults to inject, for example: 413, 429;rate=0.3, reset, slow;delay=3000 or 500;route=/channel/*',
    )
    .option(
      '--rate-limit <limit>',
      'limit on operations per account: 50 (per second), 50,1000 (per second and per minute), or none',
      rateLimit,
    )
    .option(
      '--upload-rate-limit <limit>',
      'limit on uploads per account, in the format of --rate-limit (default: none)',
      rateLimit,
    )
    .option('--max-body <size>', 'maximum size of an upload (default: 1gb)', size)
    .option('--max-inflated <size>', 'maximum decompressed size (default: 2gb)', size)
    .option('--max-parts <count>', 'maximum number of parts per upload (default: 20)', wholeNumber(1, 10_000))
    .option('--test-routes', 'enable the /__test/* routes (default: only on a loopback address)')
    .option('--no-test-routes', 'disable the /__test/* routes')
  for (const option of storeFlags('store directory (default: a temporary directory)')) intake.addOption(option)
  intake.action(async (flags) => {
    const { runIntake } = await import('../commands/intake.ts')
    exit(await runIntake(flags))
  })
  registerStore({ intake, exit })
  withExamples(intake, 'symup intake', 'symup intake --port 0 --data ./intake-data')
}

/** Parses `50`, `50,1000` or `none`. */
function rateLimit(text: string): { perSecond: number | false; perMinute: number | false } {
  if (text === 'none') return { perSecond: false, perMinute: false }
  const [, second = '', minute] = /^(\d{1,9})(?:,(\d{1,9}))?$/.exec(text) ?? []
  if (Number(second) < 1 || Number(minute ?? 1) < 1)
    throw new InvalidArgumentError(
      'Enter a limit per second such as 50, limits per second and per minute such as 50,1000, or none.',
    )
  return { perSecond: Number(second), perMinute: minute === undefined ? false : Number(minute) }
}

function storeFlags(data: string): Option[] {
  return [
    new Option('--data <dir>', data),
    new Option(
      '--database <url>',
      'postgres://… URL of a database that several intakes can share (default: a file in the --data directory)',
    ).env('SYMUP_INTAKE_DATABASE'),
    new Option(
      '--blobs <url>',
      'blob store URL, such as s3://bucket/prefix?endpoint=… (default: files in the --data directory)',
    ).env('SYMUP_INTAKE_BLOBS'),
  ]
}

function registerStore({ intake, exit }: Pick<Registration, 'exit'> & { intake: Command }): void {
  const collect = intake
    .command('gc', { hidden: true })
    .description('delete stored content that no upload uses')
    .option(
      '--max-age <time>',
      'also delete versions that received no uploads in this period, except the newest version',
      duration,
    )
    .option('--max-bytes <size>', 'also delete the oldest versions of each service that exceeds this size', size)
    .option('--grace <time>', 'minimum age of the content to delete (default: 1h)', duration)
    .action(async (_flags, command: Command) => {
      const { collectStore } = await import('../commands/intake-store.ts')
      exit(await collectStore(command.optsWithGlobals()))
    })
  withExamples(collect, 'symup intake gc --data ./intake-data --max-age 90d --max-bytes 10gb')
  const leave = intake
    .command('export', { hidden: true })
    .argument('<dir>', 'directory to create')
    .description('export the whole store to a directory')
    .action(async (directory: string, _flags, command: Command) => {
      const { exportTo } = await import('../commands/intake-store.ts')
      exit(await exportTo(directory, command.optsWithGlobals()))
    })
  withExamples(leave, 'symup intake export ./moving --data ./intake-data')
  const enter = intake
    .command('import', { hidden: true })
    .argument('<dir>', 'directory that contains an export')
    .description('import an export into an empty store')
    .action(async (directory: string, _flags, command: Command) => {
      const { importFrom } = await import('../commands/intake-store.ts')
      exit(await importFrom(directory, command.optsWithGlobals()))
    })
  withExamples(enter, 'symup intake import ./moving --data ./new-intake-data')
  for (const command of [collect, leave, enter])
    for (const option of storeFlags('store directory')) command.addOption(option)
}
