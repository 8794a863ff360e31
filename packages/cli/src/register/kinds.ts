import { KINDS, type Kind, type KindFlag } from '@symup/core'
import { type Command, Option } from 'commander'
import { keyValue, wholeNumber, withUploadFlags } from '../flags.ts'
import type { KindFlags, Paths } from '../uploading.ts'
import { type Registration, withExamples } from './registration.ts'

/** The uploading commands. Each kind of symbol file defines its own. */
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

type Upload = (kind: Kind, paths: Paths, flags: KindFlags, toolVersion: string) => Promise<number>

/** Kinds that need more than `collect`: Gradle facts, packing. */
const SET_UPS: Readonly<Record<string, () => Promise<Upload>>> = {
  'gradle-mapping': async () => (await import('../commands/android-upload.ts')).uploadMapping,
  'gradle-libraries': async () => (await import('../commands/android-upload.ts')).uploadNdk,
  archive: async () => (await import('../commands/mini-program.ts')).uploadMiniProgram,
}

/** The upload function of a kind. */
export async function uploadOf({ command }: Kind): Promise<Upload> {
  return (await SET_UPS[command?.setUp ?? '']?.()) ?? (await import('../uploading.ts')).uploadKind
}

/** The command group with this name. Several kinds may share it. */
export function groupOf(program: Command, { name, description = '' }: { name: string; description?: string }): Command {
  return program.commands.find((it) => it.name() === name) ?? program.command(name).description(description)
}

/** The flags of all kinds, each once. */
export function kindOptions(): Option[] {
  const options = KINDS.flatMap(({ command }) => Object.values(command?.flags ?? {})).map(optionOf)
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
