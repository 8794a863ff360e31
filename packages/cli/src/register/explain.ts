import { PLATFORMS } from '@symup/core'
import { Option } from 'commander'
import { wholeNumber } from '../flags.ts'
import { type Registration, withExamples } from './registration.ts'

export function registerExplain({ program, exit }: Registration): void {
  const explain = program
    .command('explain')
    .argument('[stack-file]', 'file with a stack or an error event (JSON); - reads standard input', '-')
    .description('resolve a stack and explain why frames stay unresolved')
    .option('--service <name>', 'service that reported the stack')
    .option('--release-version <version>', 'release version that reported the stack')
    .option('--intake <url>', 'URL of the intake that resolves the stack')
    .option('--app-key <key>', 'app key for the intake (prefer SYMUP_APP_KEY in the environment)')
    .option('--dir <dir>', 'use this build directory, bundle or archive')
    .option('--ledger <file>', 'ledger file to search for the upload and its time')
    .option('--minified-path-prefix <prefix>', 'with --dir: URL or path where the directory is deployed')
    .addOption(
      new Option('--platform <name>', 'platform of the stack (default: inferred from the frames)').choices([
        ...PLATFORMS,
      ]),
    )
    .option('--appid <id>', 'appid (mini programs only)')
    .option('--variant <name>', 'build variant (Android only)')
    .option('--build-id <id>', 'id of the app build (Android only)')
    .option('--mapping <file>', 'use this ProGuard or R8 mapping')
    .option('--source-maps <file>', 'use this HarmonyOS map or mini program zip')
    .option('--name-cache <file>', 'with --source-maps: matching nameCache.json')
    .option('--near <lines>', 'number of source lines to show around each position', wholeNumber(1, 20), 3)
    .option('--cwd <dir>', 'project directory')
    .option('--no-config-file', 'ignore symup.json and flashcat-ci.json')
    .option('--json', 'print one JSON document')
    .action(async (file: string, flags) => {
      const { explain: run } = await import('../commands/explain.ts')
      exit(await run(file, flags))
    })
  withExamples(
    explain,
    'symup explain event.json --intake http://127.0.0.1:8642',
    'symup explain stack.txt --dir dist --minified-path-prefix /shop',
    'symup explain crash.txt --mapping mapping.txt',
    'pbpaste | symup explain --dir dist',
  )
}
