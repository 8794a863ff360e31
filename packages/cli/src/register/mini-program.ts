import { withUploadFlags } from '../flags.ts'
import { type Registration, withExamples } from './registration.ts'

const OVER = "with a zip of WeChat's: the build output it was made of, to lead its maps to the sources"

export function registerMiniProgram({ program, version, exit }: Registration): void {
  const miniProgram = program.command('mini-program').description('source maps of WeChat and other mini programs')
  const pack = miniProgram
    .command('pack')
    .argument('<dir|zip>', 'directory that the mini program was built into, or a zip that WeChat exported')
    .description('pack the source maps into the archive that the intake takes, and check it')
    .option('-o, --output <file>', 'where to write the archive', 'sourcemap.zip')
    .option('--over <dir>', OVER)
    .option('--json', 'print one JSON document on standard output, prose on standard error')
    .option('--quiet', 'print problems and the last line only')
    .option('--strict', 'count warnings as failures')
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
  const upload = miniProgram
    .command('upload')
    .argument('<zip|dir>', 'the archive, or a directory to pack first')
    .description('check the archive against the limits and upload it')
    .option('--appid <id>', 'tells mini programs of the same service and version apart')
    .option('--over <dir>', OVER)
    .action(async (from: string, flags) => {
      const { uploadMiniProgram } = await import('../commands/mini-program.ts')
      exit(await uploadMiniProgram(from, flags, version))
    })
  withExamples(
    withUploadFlags(upload),
    'symup mini-program upload dist --service shop --release-version 1.2.3 \\',
    '  --appid wx0123456789abcdef',
    'symup mini-program upload sourcemap.zip --dry-run',
  )
}
