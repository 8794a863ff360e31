import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, callIntake } from '../../test-support/calling.fixture.ts'

const DISK_BYTES = 8 * 1024 * 1024
const RULE = { name: 'n', prompt: 'p'.repeat(90_000), cron_expr: '0 0 1 1 *' }

const mount = (...args: string[]) => execFileSync('mount', args, { stdio: 'ignore' })

/** The reason why this machine cannot create a disk. '' if it can. */
const reason = (() => {
  const place = mkdtempSync(join(tmpdir(), 'symup-mount-'))
  try {
    mount('-t', 'tmpfs', 'none', place)
    execFileSync('umount', [place])
    return ''
  } catch {
    return ' (skipped: mounts are not permitted)'
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
})()

describe.skipIf(reason !== '')(`an intake with a full or read-only disk${reason}`, () => {
  let place: string
  let caller: Caller
  beforeEach(async () => {
    place = mkdtempSync(join(tmpdir(), 'symup-disk-'))
    mount('-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'none', place)
    mkdirSync(join(place, 'data'))
    caller = await callIntake({ dataDir: join(place, 'data') })
  })
  afterEach(async () => {
    await caller.intake.close()
    execFileSync('umount', ['--lazy', place])
    rmSync(place, { recursive: true, force: true })
  })

  const fill = () => {
    try {
      writeFileSync(join(place, 'ballast'), Buffer.alloc(DISK_BYTES))
    } catch {
      // The write fails as soon as the disk is full.
    }
  }
  const ready = async () => {
    const answer = await fetch(`${caller.intake.url}/readyz`)
    return { status: answer.status, ...((await answer.json()) as object), isOk: answer.ok }
  }
  const upload = async () => {
    const event = { type: 'js_sourcemap', service: 'shop', version: '1', minified_url: '/a.js' }
    const source_map = '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}'
    return (await caller.upload(event, { source_map, minified_file: 'x()'.repeat(30_000) })).status
  }

  const create = async () => (await caller.post('/safari/automation/rule/create', RULE)).status

  it('answers 503 if the disk is full, reports it in /readyz, and works afterwards', async () => {
    expect(await ready()).toMatchObject({ status: 'ok', isOk: true })
    fill()
    expect(await ready()).toMatchObject({ status: 'unavailable', blobs: 'unavailable', isOk: false })
    expect(await upload()).toBe(503)
    // The database may store one or two more requests in its free pages, but not all of them.
    const statuses: number[] = []
    for (let nth = 0; nth < 20; nth++) statuses.push(await create())
    expect(statuses.at(-1)).toBe(503)
    expect([200, 503]).toEqual(expect.arrayContaining(statuses))
    rmSync(join(place, 'ballast'))
    expect(await ready()).toMatchObject({ status: 'ok', isOk: true })
    expect([await upload(), await create()]).toEqual([200, 200])
    expect(await caller.intake.uploads()).toHaveLength(1)
  })

  it('refuses uploads with 503 if the upload directory is read-only, and reports it in /readyz', async () => {
    const incoming = join(place, 'data/incoming')
    mount('--bind', incoming, incoming)
    mount('-o', 'remount,bind,ro', incoming)
    expect(await ready()).toMatchObject({ status: 'unavailable', database: 'ok', blobs: 'unavailable', isOk: false })
    expect([await upload(), await create()]).toEqual([503, 200])
    execFileSync('umount', ['--lazy', incoming])
    expect(await ready()).toMatchObject({ status: 'ok', isOk: true })
    expect(await upload()).toBe(200)
  })
})
