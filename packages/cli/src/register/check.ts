import { flagOption, withFailOnWarnings } from '../flags.ts'
import { type Registration, withExamples } from './registration.ts'

export function registerCheck({ program, exit }: Registration): void {
  const check = withFailOnWarnings(
    program
      .command('check')
      .argument('<dir|file>', 'build output directory, or a single symbol file')
      .description(
        'check a build for problems that keep stacks from resolving, and for files that must not be deployed',
      )
      .addOption(flagOption('allow'))
      .option('--json', 'print one JSON document to standard output and messages to standard error')
      .option('--quiet', 'print only problems and the last line')
      .option('--api-key <key>', 'API key to search for in the files (prefer SYMUP_API_KEY in the environment)')
      .option('--cwd <dir>', 'project directory (default: the working directory)')
      .option('--no-config-file', 'ignore symup.json and flashcat-ci.json')
      .action(async (path: string, flags) => {
        const { check: run } = await import('../commands/check.ts')
        exit(await run(path, flags))
      }),
  )
  withExamples(
    check,
    'symup check dist',
    'symup check sourcemap.zip --fail-on-warnings',
    'symup check Shop.xcarchive --json',
  )
}
