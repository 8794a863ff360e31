import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, it } from 'vitest'
import { symupArguments } from '../support/command.ts'
import { runSymup } from '../support/run-symup.ts'

const place = mkdtempSync(join(tmpdir(), 'symup-seeded-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

const SEED = `
accounts:
  - account_id: 7
    name: Seven
    members: [{ person_id: 70, name: Zoe, role: admin }]
    app_keys: [{ key: zoes-app-key, person_id: 70, permissions: [Audit Read] }]
    upload_keys: [zoes-upload-key]
    channels: [{ channel_id: 9007199254740993, channel_name: Far }]
`

it('symup intake --seed serves the accounts of the file, and prints no key', async () => {
  const seed = join(place, 'seed.yaml')
  writeFileSync(seed, SEED)
  const child = spawn(process.execPath, symupArguments(['intake', '--port', '0', '--seed', seed]))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const ended = new Promise((done) => child.once('exit', done))
  const firstLine = await new Promise<string>((done) => createInterface(child.stdout).once('line', done))
  const list = (key: string) =>
    fetch(`${firstLine.split(' ').at(-1)}/channel/list?app_key=${key}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"is_brief":true}',
    })
  expect(await (await list('zoes-app-key')).text()).toContain('"channel_id":9007199254740993,"channel_name":"Far"')
  expect((await list('dev-app-key')).status).toBe(401)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(said).not.toMatch(/zoes-|dev-/)
})

it('symup intake says what is wrong with a seed, without a key in it, and ends with 2', async () => {
  const seed = join(place, 'wrong.yaml')
  writeFileSync(seed, SEED.replace('permissions: [Audit Read]', 'permissions: [All]'))
  const { exitCode, stdout, stderr } = await runSymup(['intake', '--port', '0', '--seed', seed], { cwd: place })
  expect([exitCode, stdout]).toEqual([2, ''])
  expect(stderr).toContain(`${seed}: accounts[0].app_keys[0].permissions[0] is not valid`)
  expect(stderr).not.toContain('zoes-')
})
