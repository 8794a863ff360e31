import { withUploadFlags } from '../flags.ts'
import { type Registration, withExamples } from './registration.ts'

export function registerElectron({ program, version, exit }: Registration): void {
  const electron = program.command('electron').description('Breakpad symbols (.sym) of an Electron application')
  const upload = electron
    .command('upload')
    .argument('<dir|file>', 'a .sym file, or a directory that has some at any depth')
    .description('upload every Breakpad symbol file at the path')
    .action(async (path: string, flags) => {
      const { uploadElectron } = await import('../commands/electron-upload.ts')
      exit(await uploadElectron(path, flags, version))
    })
  withExamples(
    withUploadFlags(upload),
    'symup electron upload breakpad_symbols --service desk --release-version 1.2.3',
    'symup electron upload shop.sym --dry-run',
  )
}
