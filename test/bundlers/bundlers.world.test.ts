import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { unaligned } from '../../scripts/options-table.ts'
import { ROOT } from '../support/build-fixture.ts'
import { useIntake } from '../support/intake.ts'
import { BUNDLERS, OTHER_BUNDLERS } from './other-bundlers.ts'
import { describePlugin } from './properties/index.ts'
import { bundlersTable } from './table.ts'

describePlugin(OTHER_BUNDLERS, useIntake())

it('lists unsupported features of each bundler in its table', () => {
  const page = readFileSync(join(ROOT, 'docs/evidence/bundlers.md'), 'utf8')
  expect(unaligned(page)).toContain(unaligned(bundlersTable(BUNDLERS)))
})
