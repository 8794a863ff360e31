import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { sourceArguments } from '../support/build-fixture.ts'

/** The seed is fixed, unlike in `npm run fuzz`, which also runs every night and uses a random seed. */
const SEED = 1
const CASES = 200

it(`survives ${CASES} random changes`, async () => {
  const args = [join(import.meta.dirname, 'main.ts'), '--cases', String(CASES), '--seed', String(SEED)]
  const child = spawn(process.execPath, [...sourceArguments(), ...args])
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect(output, errors).toContain('Nothing broke.')
}, 300_000)
