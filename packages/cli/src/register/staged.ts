import { withUploadFlags } from '../flags.ts'
import { type Registration, withExamples } from './registration.ts'

/** The command that sends what builds kept. */
export function registerStaged({ program, version, exit }: Registration): void {
  const upload = program
    .command('upload')
    .description('send what builds kept for later')
    .requiredOption('--staged', 'send the source maps that builds of this project kept')
    .option('--no-proof', 'do not resolve sample positions through the maps before sending them')
    .option('--disable-git', 'do not send which commit was built')
    .action(async (flags) => {
      const { uploadStaged } = await import('../uploading.ts')
      exit(await uploadStaged(flags, version))
    })
  withExamples(withUploadFlags(upload), 'symup upload --staged', 'symup upload --staged --dry-run')
}
