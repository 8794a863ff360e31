import { flagOption, withUploadFlags } from '../flags.ts'
import { type Registration, withExamples } from './registration.ts'

export function registerProject({ program, version, exit }: Registration): void {
  const init = program
    .command('init')
    .description('create symup.json and add the plugin to the build')
    .option('--yes', 'write without confirmation; required without a terminal')
    .option('--dry-run', 'show the changes without writing them')
    .option('--service <name>', 'service name, as the running app reports it (default: the name in package.json)')
    .option('--endpoint <url>', 'URL of the intake')
    .option('--minified-path-prefix <prefix>', 'URL or path where the output is deployed')
    .option('--tool <name>', "build tool to set up (default: detected from the project's files and dependencies)")
    .option('--install', 'install the packages that the build needs')
    .option('--force', 'overwrite an existing symup.json')
    .option('--cwd <dir>', 'project directory (default: the working directory)')
    .action(async (flags) => {
      const { runInit } = await import('../commands/init.ts')
      exit(await runInit(flags))
    })
  withExamples(init, 'symup init', 'symup init --yes --service shop --install')
  const doctor = program
    .command('doctor')
    .description('show all settings, and check the endpoint and the key')
    .addOption(flagOption('minifiedPathPrefix'))
    .action(async (flags) => {
      const { runDoctor } = await import('../commands/doctor.ts')
      exit(await runDoctor(flags, version))
    })
  withExamples(withUploadFlags(doctor), 'symup doctor', 'symup doctor --endpoint http://127.0.0.1:8642 --json')
}
