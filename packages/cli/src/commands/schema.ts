import { EXIT, problem } from '@symup/core'
import { didYouMean } from '@symup/core/internal'
import { t } from '@symup/core/text'
import { CommandFailure } from '../failure.ts'
import { SCHEMAS } from '../schemas.ts'

export function printSchema(name: string | undefined): number {
  if (name === undefined) {
    process.stdout.write(`${Object.keys(SCHEMAS).join('\n')}\n`)
    return EXIT.ok
  }
  if (!Object.hasOwn(SCHEMAS, name)) {
    const names = Object.keys(SCHEMAS)
    const message = t`Unknown schema "${name}".` + didYouMean(name, names)
    throw new CommandFailure([
      problem('command-invalid', message, { fix: t`Use one of these values: ${names.join(', ')}.` }),
    ])
  }
  process.stdout.write(`${JSON.stringify(SCHEMAS[name as keyof typeof SCHEMAS], null, 2)}\n`)
  return EXIT.ok
}
