import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')

it('finds a key that leaks from a test, using the watch that runs beside every test', async () => {
  const { VITEST: _, CI: __, ...env } = process.env
  const args = [vitest, 'run', '--root', ROOT, '--config', 'test/secrets/leaking.config.ts']
  const child = spawn(process.execPath, args, { cwd: ROOT, env: { ...env, NO_COLOR: '1' } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const [code] = await once(child, 'close')
  expect(code).toBe(1)
  expect(output).toContain('printed: a-key')
  expect(output).toContain('printed: another-key')
  expect(output).toContain('answered to /who')
  expect(output).toMatch(/written to \S+ledger\.jsonl/)
  expect(output).not.toMatch(/written to \S+symup\.json/)
  expect(output).toMatch(/Tests +5 passed/)
})
