import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { sourceArguments } from '../support/build-fixture.ts'

it('a minute of random changes breaks nothing', async () => {
  const child = spawn(process.execPath, [...sourceArguments(), join(import.meta.dirname, 'main.ts'), '--minutes', '1'])
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect(output, errors).toContain('Nothing broke.')
}, 300_000)
