import { withUploadFlags } from '../flags.ts'
import { type Registration, withExamples } from './registration.ts'

export function registerWeb({ program, version, exit }: Registration): void {
  const web = program.command('web').description('JavaScript and its source maps')
  const upload = web
    .command('upload')
    .argument('<dir>', 'output directory of the build')
    .description('upload every JavaScript file below <dir> that has a source map')
    .option('--minified-path-prefix <prefix>', 'URL or absolute path under which <dir> is deployed')
    .option('--project-path <path>', 'path of the project inside its repository')
    .option('--no-proof', 'do not resolve sample positions through the maps before sending them')
    .option('--disable-git', 'do not say which commit was built')
    .action(async (directory: string, flags) => {
      const { uploadWeb } = await import('../commands/web-upload.ts')
      exit(await uploadWeb(directory, flags, version))
    })
  withExamples(
    withUploadFlags(upload),
    'symup web upload dist --service shop --release-version 1.2.3 \\',
    '  --minified-path-prefix https://cdn.example.com/shop',
    'symup web upload dist --dry-run',
  )
}
