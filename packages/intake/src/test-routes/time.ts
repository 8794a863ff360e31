import { LAST } from '../platform/clock.ts'
import { invalidParameter } from '../platform/errors.ts'
import { Instant, Type } from '../platform/wire/schema.ts'
import { defineTestOperation } from './operation.ts'

const MAX_ADVANCE = 400 * 86_400_000

/** Sets and stops the clock, moves it forward and fires schedules that become due, or restores the real time. */
export const testClock = defineTestOperation({
  path: '/__test/clock',
  name: 'test:write:clock',
  title: { en: 'Set the clock', zh: '设置时钟' },
  isBodyOptional: true,
  body: Type.Object({
    /** Time in Unix milliseconds. The maximum is in the year 9999. */
    time: Type.Optional(Type.Integer({ ...Instant, maximum: LAST })),
    /** Duration in milliseconds; at most 400 days. If `time` is also set, it is applied first. */
    advance: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_ADVANCE })),
    /** `true` restores the real time. */
    real: Type.Optional(Type.Boolean()),
  }),
  data: Type.Object({
    /** Time in Unix milliseconds. */
    now: Instant,
    is_set: Type.Boolean(),
    /** Number of runs that schedules started while the clock moved. */
    runs: Type.Integer(),
  }),
  example: { time: 1_893_758_400_000, advance: 86_400_000 },
  async run({ control }, { time, advance, real }) {
    const { clock } = control
    if (real && (time ?? advance) !== undefined)
      throw invalidParameter('real', {
        en: 'Do not combine this field with time or advance.',
        zh: '不能与 time 或 advance 同时使用。',
      })
    if ((time ?? clock.now()) + (advance ?? 0) > LAST)
      throw invalidParameter('advance', {
        en: 'The time is after the year 9999.',
        zh: '超出了 9999 年。',
      })
    const before = await control.countRuns()
    if (real) clock.reset()
    if (time !== undefined) clock.set(time)
    if (advance !== undefined) await control.advance(advance)
    return { now: clock.now(), is_set: clock.isSet(), runs: (await control.countRuns()) - before }
  },
})

/** Fires schedules that are due. The intake also does this every second. */
export const testFireDue = defineTestOperation({
  path: '/__test/fire-due',
  name: 'test:write:fire-due',
  title: { en: 'Fire the schedules that are due', zh: '触发到期的计划' },
  isBodyOptional: true,
  body: Type.Object({}),
  data: Type.Object({ runs: Type.Integer() }),
  example: {},
  async run({ control, automation }) {
    const before = await control.countRuns()
    await automation.fireDue()
    return { runs: (await control.countRuns()) - before }
  },
})
