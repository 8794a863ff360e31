import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as timers from 'node:timers/promises'
import { UPLOAD_PATH } from '@symup/core'
import { describe, expect, it, vi } from 'vitest'
import { startIntake } from '../../index.ts'
import { OPERATIONS } from '../../rooms.ts'
import { useCaller } from '../../test-support/calling.fixture.ts'
import { createFaultSwitch, describeFault, parseFault } from './fault.ts'

const PATHS = [UPLOAD_PATH, ...OPERATIONS.map(({ path }) => path)]

/** Milliseconds of every pause that the intake requests. No test waits for them. */
const pauses = vi.hoisted((): unknown[] => [])
vi.mock('node:timers/promises', async (load) => ({
  ...(await load<typeof timers>()),
  setTimeout: async (delay: number) => void pauses.push(delay),
}))

const caller = useCaller()
const { upload: send } = caller

/** Sets faults until the end of the test, as the test route does. */
async function make(...faults: string[]): Promise<void> {
  expect((await caller.post('/__test/faults', { faults })).status).toBe(200)
}

const upload = (headers: Record<string, string> = {}) => {
  const event = { type: 'js_sourcemap', service: 's', version: '1', minified_url: '/a.js' }
  return send(event, { source_map: '{"version":3,"sources":[],"names":[],"mappings":""}' }, headers)
}

describe('parsing a fault', () => {
  it.each(['500', '429;retry-after=2', '429;rate=0.3;retry-after=1', 'slow;delay=50', 'reset;times=3'])(
    'keeps every field of %s',
    (text) => {
      expect(parseFault(describeFault(parseFault(text)))).toEqual(parseFault(text))
    },
  )
  it.each(['', '200', '429;rate=2', '500;often', 'slow;delay=-1', 'reset;times=0', 'slow;delay=99999999'])(
    'refuses %j',
    (text) => {
      expect(() => parseFault(text)).toThrow(RangeError)
    },
  )
  it('prevents an intake from starting, before it creates anything', async () => {
    const dataDir = join(tmpdir(), `symup-fault-${process.pid}`)
    await expect(startIntake({ dataDir, fault: 'nonsense' })).rejects.toThrow('The fault must be one of')
    const nowhere = startIntake({ dataDir, fault: '500;route=/chanel/*' })
    await expect(nowhere).rejects.toThrow('No operation uses the route /chanel/*')
    expect(existsSync(dataDir)).toBe(false)
  })
  it.each(['*', '/*', '/channel/li*', '/channel/list', '/sourcemap/*', '/safari/automation/triggers/atrig_1/fire'])(
    'accepts the route %s',
    (route) => {
      expect(createFaultSwitch(parseFault(`500;route=${route}`), PATHS, UPLOAD_PATH).all()).toHaveLength(1)
    },
  )
  it.each([
    '/channel',
    '/channel/lists',
    '/channel/list/*',
    '/Channel/*',
    '/safari/automation/triggers/atrig_1',
    '/safari/automation/triggers/:trigger_id/fire',
    '/safari/automation/triggers/{trigger_id}/*',
  ])('refuses %s, which is not a route', (route) => {
    const faults = createFaultSwitch([], PATHS, UPLOAD_PATH)
    expect(() => faults.set(parseFault(`500;route=${route}`))).toThrow('No operation uses the route')
    expect(() => faults.add(parseFault(`500;route=${route}`))).toThrow(RangeError)
    expect(faults.all()).toEqual([])
  })
})

describe('an intake with faults', () => {
  it.each(['413', '429', '500', '503'])('answers %s in the usual envelope, and stores nothing', async (kind) => {
    await make(`${kind};retry-after=4`)
    const { status, code, headers } = await upload()
    expect([status, code]).toEqual([Number(kind), expect.any(String)])
    expect(headers.get('retry-after')).toBe(kind === '429' || kind === '503' ? '4' : null)
    expect(await caller.intake.uploads()).toEqual([])
  })

  it('resets the connection mid-body, and keeps running', async () => {
    await make('reset;times=1')
    await expect(upload()).rejects.toThrow()
    expect((await upload()).status).toBe(200)
    expect(await caller.intake.uploads()).toHaveLength(1)
  })

  it('delays an upload, and then accepts it', async () => {
    await make('slow;delay=300')
    expect((await upload()).status).toBe(200)
    expect(pauses).toContain(300)
    expect(await caller.intake.uploads()).toHaveLength(1)
  })

  it('stops failing after the given number of times', async () => {
    await make('500;times=2')
    const statuses = []
    for (let count = 0; count < 4; count++) statuses.push((await upload()).status)
    expect(statuses).toEqual([500, 500, 200, 200])
  })

  it('fails a single request on request', async () => {
    expect((await upload({ 'X-Symup-Fault': '429;retry-after=9' })).headers.get('retry-after')).toBe('9')
    expect((await upload({ 'X-Symup-Fault': 'nonsense' })).status).toBe(400)
    expect((await upload()).status).toBe(200)
  })
})

it.each(['/channel/list/', '/channel/%6cist', '/channel/list/?x=1'])(
  'applies to %s, which is the same route',
  async (path) => {
    await make('500;route=/channel/list')
    const url = `${caller.intake.url}${path}${path.includes('?') ? '&' : '?'}app_key=dev-app-key`
    expect((await fetch(url, { method: 'POST' })).status).toBe(500)
  },
)

it('starts an intake with a fault', async () => {
  const intake = await startIntake({ fault: '503;route=/channel/list' })
  const answer = await fetch(`${intake.url}/channel/list?app_key=dev-app-key`, { method: 'POST' })
  await intake.close()
  expect(answer.status).toBe(503)
})
