import { withFailOnWarnings } from '../flags.ts'
import { groupOf } from './kinds.ts'
import { type Registration, withExamples } from './registration.ts'

/** Packing without an upload; `symup mini-program upload` comes from the kind. */
export function registerPack({ program, exit }: Registration): void {
  const pack = withFailOnWarnings(groupOf(program, { name: 'mini-program' }).command('pack'))
    .argument('<dir|zip>', 'output directory of the mini program, or a zip exported by WeChat')
    .description('pack the source maps into an archive for the intake, and check it')
    .option('-o, --output <file>', 'where to write the archive', 'sourcemap.zip')
    .option(
      '--over <dir>',
      'with a zip from WeChat: the build output it was created from, so that stacks resolve to the sources',
    )
    .option('--no-proof', 'do not check sample positions')
    .option('--json', 'print one JSON document on standard output, prose on standard error')
    .option('--quiet', 'print problems and the last line only')
    .option('--cwd <dir>', 'project directory (default: the working directory)')
    .action(async (from: string, flags) => {
      const { packMiniProgram } = await import('../commands/mini-program.ts')
      exit(await packMiniProgram(from, flags))
    })
  withExamples(
    pack,
    'symup mini-program pack dist -o sourcemap.zip',
    'symup mini-program pack from-wechat.zip --over dist',
  )
}
