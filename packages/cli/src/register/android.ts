import type { Command } from 'commander'
import { keyValue, wholeNumber, withUploadFlags } from '../flags.ts'
import { type Registration, withExamples } from './registration.ts'

export function registerAndroid({ program, version, exit }: Registration): void {
  const android = program.command('android').description('mapping files and native symbols of Android')
  const mapping = android
    .command('upload-mapping')
    .argument('<mapping.txt>', 'mapping file of ProGuard or R8')
    .description('upload the mapping file of one build variant')
    .option('--trim-indents', 'leave out the spaces that its lines begin with')
    .option('--package-alias <prefix=alias>', 'shorten a package in the uploaded file; may be repeated', keyValue)
    .action(async (file: string, flags) => {
      const { uploadMapping } = await import('../commands/android-upload.ts')
      exit(await uploadMapping(file, flags, version))
    })
  withExamples(
    withBuildFlags(mapping),
    'symup android upload-mapping app/build/outputs/mapping/freeRelease/mapping.txt',
    'symup android upload-mapping mapping.txt --variant freeRelease \\',
    '  --version-code 42 --service shop --release-version 1.2.3',
  )
  const ndk = android
    .command('upload-ndk')
    .argument('<dir...>', 'directories with unstripped .so files')
    .description('upload the native libraries of one build variant, with their symbols')
    .action(async (paths: string[], flags) => {
      const { uploadNdk } = await import('../commands/android-upload.ts')
      exit(await uploadNdk(paths, flags, version))
    })
  withExamples(
    withBuildFlags(ndk),
    'symup android upload-ndk app/build/intermediates/merged_native_libs/freeRelease',
    'symup android upload-ndk obj --variant freeRelease --version-code 42',
  )
}

function withBuildFlags(command: Command): Command {
  return withUploadFlags(command)
    .option('--variant <name>', 'build variant, such as freeRelease (default: from the path, or release)')
    .option('--version-code <n>', "the build's versionCode", wholeNumber(0, 2_147_483_647))
    .option('--build-id <id>', 'id of this very app build, when it has one')
    .option('--gradle <path>', 'build.gradle(.kts) to read what is not given (default: here or in app/)')
}
