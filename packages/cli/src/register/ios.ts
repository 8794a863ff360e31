import { withUploadFlags } from '../flags.ts'
import { type Registration, withExamples } from './registration.ts'

export function registerIos({ program, version, exit }: Registration): void {
  const ios = program.command('ios').description('iOS and macOS debug symbols')
  const upload = ios
    .command('upload')
    .argument('<path>', 'a .dSYM, a directory, a .zip or an .xcarchive')
    .description('upload every dSYM at <path> that will resolve; needs no macOS')
    .action(async (path: string, flags) => {
      const { uploadDsyms } = await import('../commands/ios-upload.ts')
      exit(await uploadDsyms(path, flags, version))
    })
  withExamples(
    withUploadFlags(upload),
    'symup ios upload build/Shop.xcarchive',
    'symup ios upload Shop.app.dSYM --dry-run',
  )
}
