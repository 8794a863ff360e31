import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './build-fixture.ts'

/** The packages that are published: the inspector's page is a part of the intake's. */
export const PUBLISHED = readdirSync(join(ROOT, 'packages')).filter(
  (name) => !JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')).private,
)
