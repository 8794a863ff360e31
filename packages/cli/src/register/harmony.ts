import { withUploadFlags } from '../flags.ts'
import { type Registration, withExamples } from './registration.ts'

export function registerHarmony({ program, version, exit }: Registration): void {
  const harmony = program.command('harmony').description('ArkTS maps and native symbols of HarmonyOS')
  const upload = harmony
    .command('upload')
    .argument('<path...>', 'module or project directories, sourceMaps.map, .so, app-symbol.zip')
    .description('upload what a HarmonyOS build left: maps, name caches, unstripped libraries')
    .option('--debug', 'the debug build is meant (default: release)')
    .option('--product <name>', 'only this product (default: all that were built)')
    .option('--target <name>', 'only this target (default: all that were built)')
    .option('--build-dir <name>', 'name of the build directory, where ohos.buildDir moves it')
    .action(async (paths: string[], flags) => {
      const { uploadHarmony } = await import('../commands/harmony-upload.ts')
      exit(await uploadHarmony(paths, flags, version))
    })
  withExamples(
    withUploadFlags(upload),
    'symup harmony upload . --service shop --release-version 1.2.3',
    'symup harmony upload entry --product default --dry-run',
  )
}
