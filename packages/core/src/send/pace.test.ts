import { describe, expect, it } from 'vitest'
import { type Effort, Pace } from './pace.ts'

function after(pace: Pace, effort: Effort, times = 8) {
  for (let time = 0; time < times; time++) pace.observe(effort)
  return pace.compression.level
}

/** 100 KB in so many milliseconds, on four connections. */
const sent = (sending: number, preparing = 10): Effort => ({ bytes: 100_000, preparing, sending })
const FAST = sent(20)
const SLOW = sent(1000)

describe('the level', () => {
  it('begins at 4, rises on a slow network, and falls again on a fast one', () => {
    const pace = new Pace(4)
    expect(pace.compression.level).toBe(4)
    expect(after(pace, SLOW, 7)).toBe(4)
    expect(after(pace, SLOW, 1)).toBe(6)
    expect(after(pace, FAST)).toBe(4)
  })

  it('stays what it was between slow and fast', () => {
    const between = sent(67)
    expect(after(new Pace(4), between)).toBe(4)
    const pace = new Pace(4)
    after(pace, SLOW)
    expect(after(pace, between)).toBe(6)
  })

  it('does not rise because the machine is slow', () => {
    expect(after(new Pace(4), sent(1000, 900))).toBe(4)
  })

  it('is that of the encoding which the intake takes', () => {
    const pace = new Pace(4)
    pace.encoding = 'br'
    expect(pace.compression).toEqual({ encoding: 'br', level: 2 })
    after(pace, SLOW)
    expect(pace.compression).toEqual({ encoding: 'br', level: 5 })
  })

  it('is another one for mappings', () => {
    const pace = new Pace(4)
    expect(pace.compression).toEqual({ encoding: 'gzip', level: 4, mappingsLevel: 1 })
    after(pace, SLOW)
    expect(pace.compression).toEqual({ encoding: 'gzip', level: 6, mappingsLevel: 5 })
  })

  it('is the one that was asked for, for everything', () => {
    expect(new Pace(4, 9).compression).toEqual({ encoding: 'gzip', level: 9 })
    expect(after(new Pace(4, 1), SLOW)).toBe(1)
    expect(after(new Pace(4, 9), FAST)).toBe(9)
  })
})
