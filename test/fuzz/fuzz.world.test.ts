import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { sourceArguments } from '../support/build-fixture.ts'

/** Always the same: what other seeds find is for `npm run fuzz`, which takes one at random. */
const SEEDS = [1, 2, 3]
const CASES = 200

it.each(SEEDS)(
  `${CASES} random changes break nothing (seed %s)`,
  async (seed) => {
    const args = [join(import.meta.dirname, 'main.ts'), '--cases', String(CASES), '--seed', String(seed)]
    const child = spawn(process.execPath, [...sourceArguments(), ...args])
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
    expect(output, errors).toContain('Nothing broke.')
  },
  300_000,
)
