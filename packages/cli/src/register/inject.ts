import { groupOf } from './kinds.ts'
import { type Registration, withExamples } from './registration.ts'

/** Debug ids in a built directory; `symup web upload` comes from the kind. */
export function registerInject({ program, exit }: Registration): void {
  const inject = groupOf(program, { name: 'web' })
    .command('inject')
    .argument('<dir>', 'output directory of a build')
    .description('write debug ids (ECMA-426) into scripts and their source maps')
    .option('--dry-run', 'list the scripts and change nothing')
    .option('--json', 'print one JSON document on standard output, prose on standard error')
    .option('--quiet', 'print problems and the last line only')
    .option('--cwd <dir>', 'project directory (default: the working directory)')
    .action(async (directory: string, flags) => {
      const { inject: run } = await import('../commands/inject.ts')
      exit(await run(directory, flags))
    })
  withExamples(inject, 'symup web inject dist', 'symup web inject dist --dry-run')
}
