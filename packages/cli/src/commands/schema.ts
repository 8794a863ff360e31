import { EXIT, t } from '@symup/core/internal'
import { SCHEMAS } from '../schemas.ts'

/** `symup schema [name]`: prints one JSON Schema, or the names of all. */
export function printSchema(name: string | undefined): number {
  if (name === undefined) {
    process.stdout.write(`${Object.keys(SCHEMAS).join('\n')}\n`)
    return EXIT.ok
  }
  if (!Object.hasOwn(SCHEMAS, name)) {
    process.stderr.write(t`There is no schema "${name}". There are: ${Object.keys(SCHEMAS).join(', ')}.\n`)
    return EXIT.unusable
  }
  process.stdout.write(`${JSON.stringify(SCHEMAS[name as keyof typeof SCHEMAS], null, 2)}\n`)
  return EXIT.ok
}
