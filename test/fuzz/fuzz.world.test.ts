import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { sourceArguments } from '../support/build-fixture.ts'

// With a seed of its own each time, a change would fail for what it did not do: other seeds are for `npm run fuzz`.
it('a minute of random changes breaks nothing', async () => {
  const options = ['--minutes', '1', '--seed', '1']
  const child = spawn(process.execPath, [...sourceArguments(), join(import.meta.dirname, 'main.ts'), ...options])
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect(output, errors).toContain('Nothing broke.')
}, 300_000)
