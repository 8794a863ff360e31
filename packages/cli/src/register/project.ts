import { flagOption, withUploadFlags } from '../flags.ts'
import { type Registration, withExamples } from './registration.ts'

/** The commands that look at a project's settings. */
export function registerProject({ program, version, exit }: Registration): void {
  const doctor = program
    .command('doctor')
    .description('show every setting, try the endpoint and the key')
    .addOption(flagOption('minifiedPathPrefix'))
    .action(async (flags) => {
      const { runDoctor } = await import('../commands/doctor.ts')
      exit(await runDoctor(flags, version))
    })
  withExamples(withUploadFlags(doctor), 'symup doctor', 'symup doctor --endpoint http://127.0.0.1:8642 --json')
  const init = program
    .command('init')
    .description('write a symup.json, show what to add to the build')
    .option('--service <name>', 'service name, as the running app reports it (default: the name in package.json)')
    .option('--endpoint <url>', 'address of the intake')
    .option('--force', 'overwrite a symup.json that is there')
    .option('--cwd <dir>', 'project directory (default: the working directory)')
    .action(async (flags) => {
      const { runInit } = await import('../commands/init.ts')
      exit(runInit(flags))
    })
  withExamples(init, 'symup init', 'symup init --service shop')
}
