import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { DEFAULT_SEED } from '../index.ts'
import { stringifyJson } from './wire/int64.ts'

it.each([
  [
    '0.0.0.0',
    /^inspector: off, because the page has no login and other machines can reach this address\. To turn on the inspector anyway, pass --inspector\.$/,
  ],
  ['127.0.0.1', /^inspector: http:\/\/127\.0\.0\.1:\d+\/$/],
])('reports with symup intake --host %s at startup whether the inspector is available', async (host, line) => {
  const directory = mkdtempSync(join(tmpdir(), 'symup-exposure-'))
  const seed = join(directory, 'seed.json')
  writeFileSync(seed, stringifyJson(DEFAULT_SEED))
  // The command is built before the tests (test/support/built-command.ts).
  const command = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url))
  const flags = ['intake', '--port', '0', '--host', host, '--seed', seed]
  const child = spawn(process.execPath, [command, ...flags])
  const lines: string[] = []
  for await (const text of createInterface({ input: child.stdout })) {
    lines.push(text)
    if (text.startsWith('inspector:')) break
  }
  child.kill('SIGTERM')
  await once(child, 'exit')
  rmSync(directory, { recursive: true })
  expect(lines[0]).toMatch(/^symup intake listening on http:/)
  expect(lines.at(-1)).toMatch(line)
})
