import { describe, expect, it } from 'vitest'
import { decideMaps, type MapSetting, rollupMapSetting } from './maps.ts'

const words = { now: 'build.sourcemap is x', hidden: "build.sourcemap: 'hidden'" }

describe('the decision about source maps', () => {
  const rows: [MapSetting, boolean | undefined, boolean, boolean, string[]][] = [
    // setting, deleteAfterUpload → hide, delete, message
    ['unset', undefined, true, true, []],
    ['unset', true, true, true, []],
    ['unset', false, true, false, []],
    ['hidden', undefined, false, false, []],
    ['hidden', true, false, true, []],
    ['hidden', false, false, false, []],
    ['linked', undefined, false, false, ['warning maps-linked']],
    ['linked', true, true, true, ['info maps-linked']],
    ['linked', false, false, false, []],
    ['inline', undefined, false, false, []],
    ['inline', true, false, false, ['warning map-inline']],
    ['inline', false, false, false, []],
    ['none', undefined, false, false, ['warning sourcemaps-off']],
    ['none', true, false, false, ['warning sourcemaps-off']],
    ['none', false, false, false, ['warning sourcemaps-off']],
  ]

  it.each(rows)(
    'for %s, deleteAfterUpload %s: hides %s, deletes %s, prints %j',
    (setting, wanted, hide, deletes, output) => {
      const decision = decideMaps(setting, wanted, words)
      expect(decision).toMatchObject({ hide, deletes })
      expect(decision.problems.map(({ severity, code }) => `${severity} ${code}`)).toEqual(output)
      for (const { message, fix } of decision.problems) {
        expect(message).toContain('build.sourcemap is x')
        expect(fix).toContain("build.sourcemap: 'hidden'")
      }
    },
  )
})

it.each([
  [undefined, 'unset'],
  [false, 'none'],
  [true, 'linked'],
  ['hidden', 'hidden'],
  ['inline', 'inline'],
] as const)('reads sourcemap: %s as %s', (value, setting) => {
  expect(rollupMapSetting(value)).toBe(setting)
})
