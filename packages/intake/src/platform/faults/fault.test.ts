import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as timers from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Intake, type IntakeOptions, startIntake } from '../../index.ts'
import { OPERATIONS } from '../../operations.ts'
import { createFaultSwitch, describeFault, parseFault } from './fault.ts'

const PATHS = OPERATIONS.map(({ path }) => path)

/** Milliseconds of every pause that was made; none is waited for. */
const pauses = vi.hoisted((): unknown[] => [])
vi.mock('node:timers/promises', async (load) => ({
  ...(await load<typeof timers>()),
  setTimeout: async (delay: number) => void pauses.push(delay),
}))

let intake: Intake | undefined
afterEach(() => intake?.close())

async function start(options: IntakeOptions) {
  intake = await startIntake(options)
  return intake
}

function upload(url: string, headers: Record<string, string> = {}): Promise<Response> {
  const form = new FormData()
  form.set('event', JSON.stringify({ type: 'js_sourcemap', service: 's', version: '1', minified_url: '/a.js' }))
  form.set('source_map', new Blob(['{"version":3,"sources":[],"names":[],"mappings":""}']), 'a.map')
  return fetch(`${url}/sourcemap/upload`, {
    method: 'POST',
    headers: { 'DD-API-KEY': 'dev-api-key', ...headers },
    body: form,
  })
}

describe('reading a fault', () => {
  it.each(['500', '429;retry-after=2', '429;rate=0.3;retry-after=1', 'slow;delay=50', 'reset;times=3'])(
    '%s',
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
  it('stops an intake from starting, before it makes anything', async () => {
    const dataDir = join(tmpdir(), `symup-fault-${process.pid}`)
    await expect(startIntake({ dataDir, fault: 'nonsense' })).rejects.toThrow('a fault is one of')
    const nowhere = startIntake({ dataDir, fault: '500;route=/chanel/*' })
    await expect(nowhere).rejects.toThrow('no operation has the route /chanel/*')
    expect(existsSync(dataDir)).toBe(false)
  })
  it.each(['*', '/*', '/channel/li*', '/channel/list', '/sourcemap/*', '/safari/automation/triggers/atrig_1/fire'])(
    'takes the route %s',
    (route) => {
      expect(createFaultSwitch(parseFault(`500;route=${route}`), PATHS).all()).toHaveLength(1)
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
  ])('refuses the route %s, which is none', (route) => {
    const faults = createFaultSwitch([], PATHS)
    expect(() => faults.set(parseFault(`500;route=${route}`))).toThrow('no operation has the route')
    expect(() => faults.add(parseFault(`500;route=${route}`))).toThrow(RangeError)
    expect(faults.all()).toEqual([])
  })
})

describe('an intake that misbehaves', () => {
  it.each(['413', '429', '500', '503'])('answers %s with the envelope, and stores nothing', async (kind) => {
    const { url, uploads } = await start({ fault: `${kind};retry-after=4` })
    const response = await upload(url)
    expect(response.status).toBe(Number(kind))
    expect(response.headers.get('retry-after')).toBe(kind === '429' || kind === '503' ? '4' : null)
    expect(await response.json()).toMatchObject({ error: { code: expect.any(String) } })
    expect(await uploads()).toEqual([])
  })

  it('resets the connection in mid-body, and lives', async () => {
    const { url, uploads } = await start({ fault: 'reset;times=1' })
    await expect(upload(url)).rejects.toThrow()
    expect((await upload(url)).status).toBe(200)
    expect(await uploads()).toHaveLength(1)
  })

  it('is slow, and then takes the upload', async () => {
    const { url, uploads } = await start({ fault: 'slow;delay=300' })
    expect((await upload(url)).status).toBe(200)
    expect(pauses).toEqual([300])
    expect(await uploads()).toHaveLength(1)
  })

  it('stops after so many times', async () => {
    const { url } = await start({ fault: '500;times=2' })
    const statuses = []
    for (let count = 0; count < 4; count++) statuses.push((await upload(url)).status)
    expect(statuses).toEqual([500, 500, 200, 200])
  })

  it('does to one request what its header asks for', async () => {
    const { url } = await start({})
    expect((await upload(url, { 'X-Symup-Fault': '429;retry-after=9' })).headers.get('retry-after')).toBe('9')
    expect((await upload(url, { 'X-Symup-Fault': 'nonsense' })).status).toBe(400)
    expect((await upload(url)).status).toBe(200)
  })
})
