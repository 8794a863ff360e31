import { readFileSync } from 'node:fs'

/** Version of this package. */
export const { version: toolVersion } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string }
