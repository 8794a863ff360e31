import { withUploadFlags } from '../flags.ts'
import { type Registration, withExamples } from './registration.ts'

export function registerFlutter({ program, version, exit }: Registration): void {
  const flutter = program.command('flutter').description("symbols of a Flutter application's Dart code")
  const upload = flutter
    .command('upload')
    .argument('<dir|file>', 'the directory given to flutter build --split-debug-info')
    .description('upload the symbols of every architecture')
    .option('--flavor <name>', 'flavor of the build (default: release)')
    .action(async (path: string, flags) => {
      const { uploadFlutter } = await import('../commands/flutter-upload.ts')
      exit(await uploadFlutter(path, flags, version))
    })
  withExamples(
    withUploadFlags(upload),
    'symup flutter upload build/symbols --service shop --release-version 1.2.3',
    'symup flutter upload build/symbols --flavor paid --dry-run',
  )
}
