import { Option } from 'commander'
import { withUploadFlags } from '../flags.ts'
import { type Registration, withExamples } from './registration.ts'

export function registerReactNative({ program, version, exit }: Registration): void {
  const reactNative = program.command('react-native').description('bundles and source maps of React Native')
  const upload = reactNative
    .command('upload')
    .argument('<bundle>', 'the bundle that ships: JavaScript or Hermes bytecode')
    .description('upload a bundle with its (composed) source map')
    .addOption(new Option('--platform <name>', 'default: by the name of the bundle').choices(['android', 'ios']))
    .option('--build-version <n>', 'versionCode or CFBundleVersion')
    .option('--sourcemap <file>', 'its source map (default: <bundle>.map)')
    .option('--packager-map <file>', "Hermes: Metro's map, composed here with")
    .option('--compiler-map <file>', "the Hermes compiler's map")
    .option('--bundle-name <name>', 'what stacks call it (default: its file name)')
    .action(async (bundle: string, flags) => {
      const { uploadReactNative } = await import('../commands/react-native-upload.ts')
      exit(await uploadReactNative(bundle, flags, version))
    })
  withExamples(
    withUploadFlags(upload),
    'symup react-native upload main.jsbundle --build-version 42 \\',
    '  --service shop --release-version 1.2.3',
    'symup react-native upload index.android.bundle --build-version 42 \\',
    '  --packager-map index.android.bundle.packager.map \\',
    '  --compiler-map index.android.bundle.compiler.map',
  )
}
