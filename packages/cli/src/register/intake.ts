import { wholeNumber } from '../flags.ts'
import { type Registration, withExamples } from './registration.ts'

export function registerIntake({ program, exit }: Registration): void {
  const intake = program
    .command('intake')
    .description('run a local intake (needs @symup/intake)')
    .option('--port <port>', 'port to listen on, 0 for a free one', wholeNumber(0, 65535), 8642)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--data <dir>', 'keep what is uploaded here; default: a temporary directory')
    .option('--seed <file>', 'YAML or JSON file of accounts, keys, channels, schedules, datasources and rules')
    .option(
      '--fault <fault>',
      'make uploads fail on purpose: 413, 429;retry-after=2;rate=0.3, 500, 503, reset, slow;delay=3000',
    )
    .action(async (flags) => {
      const { runIntake } = await import('../commands/intake.ts')
      exit(await runIntake(flags))
    })
  withExamples(intake, 'symup intake', 'symup intake --port 0 --data ./intake-data')
}
