import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './build-fixture.ts'

/** The published packages: the inspector's page is part of the intake's package. */
export const PUBLISHED = readdirSync(join(ROOT, 'packages')).filter(
  (name) => !JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')).private,
)
