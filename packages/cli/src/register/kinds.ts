import { KINDS, type Kind, type KindFlag } from '@symup/core'
import { type Command, Option } from 'commander'
import { keyValue, wholeNumber, withFailOnWarnings, withUploadFlags } from '../flags.ts'
import type { KindFlags, Paths } from '../uploading.ts'
import { type Registration, withExamples } from './registration.ts'

export function registerKinds({ program, version, exit }: Registration): void {
  for (const kind of KINDS) {
    const { command } = kind
    if (!command) continue
    const upload = groupOf(program, command.group)
      .command(command.name ?? 'upload')
      .argument(command.argument, command.argumentDescription)
      .description(command.description)
      .action(async (argument: string | string[], flags) => {
        const upload = await uploadOf(kind)
        exit(await upload(kind, [argument].flat() as [string, ...string[]], flags, version))
      })
    for (const flag of Object.values(command.flags ?? {})) upload.addOption(optionOf(flag))
    withExamples(withUploadFlags(upload), ...command.examples)
  }
}

export function registerInject({ program, exit }: Registration): void {
  const inject = groupOf(program, { name: 'web' })
    .command('inject')
    .argument('<dir>', 'build output directory')
    .description('write debug ids (ECMA-426) into scripts and their source maps')
    .option('--dry-run', 'list the scripts without changing them')
    .option('--json', 'print one JSON document to standard output and messages to standard error')
    .option('--quiet', 'print only problems and the last line')
    .option('--cwd <dir>', 'project directory (default: the working directory)')
    .action(async (directory: string, flags) => {
      const { inject: run } = await import('../commands/inject.ts')
      exit(await run(directory, flags))
    })
  withExamples(inject, 'symup web inject dist', 'symup web inject dist --dry-run')
}

export function registerPack({ program, exit }: Registration): void {
  const pack = withFailOnWarnings(groupOf(program, { name: 'mini-program' }).command('pack'))
    .argument('<dir|zip>', 'build output directory of the mini program, or a zip exported by WeChat')
    .description('pack the source maps into an archive for the intake, and check the archive')
    .option('-o, --output <file>', 'path for the new archive', 'sourcemap.zip')
    .option(
      '--over <dir>',
      'directory of the build output that you uploaded to WeChat, used to resolve stacks to the original sources (only for a zip from WeChat)',
    )
    .option('--no-proof', 'pack the source maps without checking sample positions')
    .option('--json', 'print one JSON document to standard output and messages to standard error')
    .option('--quiet', 'print only problems and the last line')
    .option('--cwd <dir>', 'project directory (default: the working directory)')
    .action(async (from: string, flags) => {
      const { packMiniProgram } = await import('../commands/mini-program.ts')
      exit(await packMiniProgram(from, flags))
    })
  withExamples(
    pack,
    'symup mini-program pack dist -o sourcemap.zip',
    'symup mini-program pack from-wechat.zip --over dist',
  )
}

type Upload = (kind: Kind, paths: Paths, flags: KindFlags, toolVersion: string) => Promise<number>

/** Kinds that require additional steps besides `collect`, such as packing or reading information from Gradle. */
const SET_UPS: Readonly<Record<string, () => Promise<Upload>>> = {
  'gradle-mapping': async () => (await import('../commands/android-upload.ts')).uploadMapping,
  'gradle-libraries': async () => (await import('../commands/android-upload.ts')).uploadNdk,
  archive: async () => (await import('../commands/mini-program.ts')).uploadMiniProgram,
}

export async function uploadOf({ command }: Kind): Promise<Upload> {
  return (await SET_UPS[command?.setUp ?? '']?.()) ?? (await import('../uploading.ts')).uploadKind
}

function groupOf(program: Command, { name, description = '' }: { name: string; description?: string }): Command {
  return program.commands.find((it) => it.name() === name) ?? program.command(name).description(description)
}

/** Returns the flags of all kinds. A flag that several kinds share is listed once. */
export function kindOptions(): Option[] {
  const options = KINDS.flatMap(({ command }) => Object.values(command?.flags ?? {})).map((flag) =>
    optionOf(flag).hideHelp(!flag.isCommon),
  )
  const seen = new Set<string>()
  return options.filter(({ long }) => long && !seen.has(long) && seen.add(long))
}

function optionOf({ flags, description, choices, range, isPairs }: KindFlag): Option {
  const option = new Option(flags, description)
  if (choices) option.choices(choices)
  if (range) option.argParser(wholeNumber(...range))
  if (isPairs) option.argParser(keyValue)
  return option
}
