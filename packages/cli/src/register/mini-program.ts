import { withFailOnWarnings } from '../flags.ts'
import { groupOf } from './kinds.ts'
import { type Registration, withExamples } from './registration.ts'

/** Packing without an upload; `symup mini-program upload` comes from the kind. */
export function registerPack({ program, exit }: Registration): void {
  const pack = withFailOnWarnings(groupOf(program, { name: 'mini-program' }).command('pack'))
    .argument('<dir|zip>', 'directory that the mini program was built into, or a zip that WeChat exported')
    .description('pack the source maps into the archive that the intake takes, and check it')
    .option('-o, --output <file>', 'where to write the archive', 'sourcemap.zip')
    .option('--over <dir>', "with a zip of WeChat's: the build output it was made of, to lead its maps to the sources")
    .option('--no-proof', 'do not resolve sample positions through the maps')
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
