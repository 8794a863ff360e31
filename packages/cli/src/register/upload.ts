import { withUploadFlags } from '../flags.ts'
import { kindOptions } from './kinds.ts'
import { type Registration, withExamples } from './registration.ts'

export function registerUpload({ program, version, exit }: Registration): void {
  const upload = program
    .command('upload')
    .argument('[path]', 'build output, mapping, library, .dSYM, .xcarchive, .aab or archive')
    .description('upload symbol files of any kind')
    .option('--staged', 'upload source maps that earlier builds staged')
    .action(async (path: string | undefined, flags) => {
      const { uploadAnything } = await import('../commands/upload.ts')
      exit(await uploadAnything(path, flags, version))
    })
  for (const option of kindOptions()) upload.addOption(option)
  withExamples(
    withUploadFlags(upload),
    'symup upload dist --service shop --release-version 1.2.3 \\',
    '  --minified-path-prefix /shop',
    'symup upload build/Shop.xcarchive --dry-run',
    'symup upload --staged',
  )
}
