import { spawn } from 'node:child_process'
import { request } from 'node:http'
import { createInterface } from 'node:readline'
import { startIntake } from '@symup/intake'
import { expect, it } from 'vitest'
import { symupArguments } from '../support/command.ts'
import { useDirectory } from '../support/directory.ts'

const place = useDirectory()

const EVENT = { type: 'jvm_mapping_file', service: 's', version: '1', variant: 'release' }
const HEAD = [
  '--xyz\r\nContent-Disposition: form-data; name="event"\r\n\r\n',
  `${JSON.stringify(EVENT)}\r\n`,
  '--xyz\r\nContent-Disposition: form-data; name="jvm_mapping_file"; filename="mapping.txt"\r\n\r\n',
]

it('shows no part of an upload after the intake is killed during it, and accepts the upload again', async () => {
  const child = spawn(process.execPath, symupArguments(['intake', '--port', '0', '--data', place]))
  const ended = new Promise((done) => child.once('exit', (_, signal) => done(signal)))
  const firstLine = await new Promise<string>((done) => createInterface(child.stdout).once('line', done))
  const headers = { 'DD-API-KEY': 'dev-api-key', 'Content-Type': 'multipart/form-data; boundary=xyz' }
  const url = `${firstLine.split(' ').at(-1)}/sourcemap/upload`
  const upload = request(url, { method: 'POST', headers })
  const broken = new Promise((done) => upload.once('error', done))
  upload.write(HEAD.join(''))
  // The body is larger than all buffers. Once it is written, the intake has most of it on disk.
  for (let megabytes = 0; megabytes < 40; megabytes++) {
    if (!upload.write(Buffer.alloc(1024 * 1024, 'a'))) await new Promise((done) => upload.once('drain', done))
  }
  child.kill('SIGKILL')
  expect(await ended).toBe('SIGKILL')
  await broken

  const intake = await startIntake({ dataDir: place })
  try {
    expect(await intake.uploads()).toEqual([])
    const body = `${HEAD.join('')}a.A -> b:\r\n--xyz--\r\n`
    const again = await fetch(`${intake.url}/sourcemap/upload`, { method: 'POST', headers, body })
    expect(again.status).toBe(200)
    expect((await intake.uploads()).map(({ event }) => event.service)).toEqual(['s'])
  } finally {
    await intake.close()
  }
})
