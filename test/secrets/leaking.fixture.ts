import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'vitest'

// Every way in which a key can leak from a test. `watch.test.ts` runs this and expects each leak to be found.
const KEY = 'a-key-that-gets-out'

it('prints the key', async () => {
  const child = spawn(process.execPath, ['-p', 'process.env.SYMUP_API_KEY'], { env: { SYMUP_API_KEY: KEY } })
  await once(child, 'close')
})

it('prints another key, and is waited for', () => {
  execFileSync(process.execPath, ['-p', 'process.env.SYMUP_APP_KEY'], {
    env: { SYMUP_APP_KEY: 'another-key-that-gets-out' },
  })
})

it('sends the key in a response', async () => {
  const server = createServer((request, response) => response.end(`You are ${request.headers['dd-api-key']}`))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  await (
    await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/who`, { headers: { 'DD-API-KEY': KEY } })
  ).text()
  server.close()
})

it('writes the key to a file, and removes the file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'symup-leaking-'))
  writeFileSync(join(directory, 'ledger.jsonl'), KEY)
  // The watch ignores keys in config files, because users put them there.
  writeFileSync(join(directory, 'symup.json'), KEY)
  rmSync(directory, { recursive: true })
})

it('does not leak a key', () => {
  execFileSync(process.execPath, ['-p', '1'])
})
