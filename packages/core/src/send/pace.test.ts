import { describe, expect, it } from 'vitest'
import { type Effort, Pace } from './pace.ts'

function after(pace: Pace, effort: Effort, times = 8) {
  for (let time = 0; time < times; time++) pace.observe(effort)
  return pace.compression.level
}

/** 100 KB in so many milliseconds, on four connections. */
const sent = (sending: number, preparing = 10): Effort => ({
  rawBytes: 400_000,
  bytes: 100_000,
  preparing,
  sending,
  idle: sending,
  atOnce: 4,
})
const FAST = sent(20)
const SLOW = sent(1000)

describe('the level', () => {
  it('begins with our own encoder, rises on a slow network, and falls again on a fast one', () => {
    const pace = new Pace()
    expect(pace.compression.level).toBe(undefined)
    expect(after(pace, SLOW, 7)).toBe(undefined)
    expect(after(pace, SLOW, 1)).toBe(6)
    expect(after(pace, FAST)).toBe(undefined)
  })

  it('stays what it was between slow and fast', () => {
    const between = sent(67)
    expect(after(new Pace(), between)).toBe(undefined)
    const pace = new Pace()
    after(pace, SLOW)
    expect(after(pace, between)).toBe(6)
  })

  it.each<[string, Effort, number | undefined, number | undefined]>([
    ['4 MB/s, which is not slow', sent(100), undefined, 6],
    ['less than 4 MB/s', sent(101), 6, 6],
    ['8 MB/s, which is not fast', sent(50), undefined, 6],
    ['more than 8 MB/s', sent(49), undefined, undefined],
    ['a network that is waited for half as long again as the machine', sent(1000, 500), undefined, undefined],
    ['one that is waited for longer', sent(1001, 500), 6, 6],
  ])('at %s', (_, effort, fromFast, fromSlow) => {
    expect(after(new Pace(), effort)).toBe(fromFast)
    const pace = new Pace()
    after(pace, SLOW)
    expect(after(pace, effort)).toBe(fromSlow)
  })

  it('is of as many as share the network: of twenty artifacts few are large ones', () => {
    const large = { ...sent(300), atOnce: 6 }
    expect(after(new Pace(), large)).toBe(6)
    expect(after(new Pace(), { ...large, atOnce: 20 })).toBe(undefined)
  })

  it('does not rise because the machine is slow', () => {
    expect(after(new Pace(), sent(1000, 900))).toBe(undefined)
  })

  it('does not rise because the machine does something else while answers are under way', () => {
    expect(after(new Pace(), { ...SLOW, idle: 20 })).toBe(undefined)
  })

  it('is that of the encoding which the intake takes', () => {
    const pace = new Pace()
    pace.offered(['gzip', 'br'], true)
    expect(pace.compression).toEqual({ encoding: 'gzip' })
    after(pace, SLOW)
    expect(pace.compression).toEqual({ encoding: 'br', level: 5 })
  })

  it('is the one that was asked for, for everything', () => {
    expect(new Pace(9).compression).toEqual({ encoding: 'gzip', level: 9 })
    expect(after(new Pace(1), SLOW)).toBe(1)
    expect(after(new Pace(9), FAST)).toBe(9)
  })
})

describe('no compression', () => {
  const plain = (sending: number): Effort => ({
    rawBytes: 400_000,
    bytes: 400_000,
    preparing: 0,
    sending,
    idle: sending,
    atOnce: 4,
  })

  it('is for an intake that asks for it, on a network that is as quick without', () => {
    const pace = new Pace()
    after(pace, FAST)
    expect(pace.compression.encoding).toBe('gzip')
    pace.offered(['identity', 'gzip'], false)
    after(pace, FAST)
    expect(pace.compression.encoding).toBe('identity')
    after(pace, plain(30))
    expect(pace.compression.encoding).toBe('identity')
  })

  it('ends where the bytes take longer than compressing them, and is tried again later', () => {
    const pace = new Pace()
    pace.offered(['identity', 'gzip'], false)
    after(pace, FAST)
    after(pace, plain(60))
    expect(pace.compression).toEqual({ encoding: 'gzip' })
    after(pace, FAST, 16 * 8)
    expect(pace.compression.encoding).toBe('gzip')
    after(pace, FAST)
    expect(pace.compression.encoding).toBe('identity')
  })

  it('is there from the beginning where no network is between', () => {
    const pace = new Pace()
    pace.offered(['identity', 'gzip'], true)
    expect(pace.compression.encoding).toBe('identity')
    after(pace, plain(5000))
    expect(pace.compression.encoding).toBe('identity')
  })

  it('is not for a slow network', () => {
    const pace = new Pace()
    pace.offered(['identity', 'gzip'], false)
    after(pace, SLOW, 80)
    expect(pace.compression).toEqual({ encoding: 'gzip', level: 6 })
  })
})
