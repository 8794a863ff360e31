import { flagOption, withFailOnWarnings } from '../flags.ts'
import { type Registration, withExamples } from './registration.ts'

export function registerCheck({ program, exit }: Registration): void {
  const check = withFailOnWarnings(
    program
      .command('check')
      .argument('<dir|file>', 'output directory of a build, or one symbol file')
      .description('check a build for stacks that will not resolve and files that must not be deployed')
      .addOption(flagOption('allow'))
      .option('--json', 'print one JSON document on standard output, prose on standard error')
      .option('--quiet', 'print problems and the last line only')
      .option('--api-key <key>', 'key to look for in the files (better: SYMUP_API_KEY in the environment)')
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
