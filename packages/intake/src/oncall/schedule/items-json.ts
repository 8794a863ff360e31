import type { Account } from '../../platform/accounts/directory.ts'
import { ApiError } from '../../platform/errors.ts'
import { jsonWriterOf } from '../../platform/wire/json-writer.ts'
import { toHead } from './item.ts'
import { CalculatedTurn, ScheduleHead, type SeededSchedule } from './schema.ts'
import type { Span } from './spans.ts'
import { inPieces, type Steps } from './steps.ts'
import { calculate, type FinalTurn, shown } from './who-is-on-call.ts'

/** Characters that one answer may have. A year by the hour has three million. */
const MAX_LENGTH = 64 * 1024 * 1024
/** Turns that are written in one piece. */
const TURNS_A_PIECE = 64

/** What schedules are answered with. */
export interface Answering {
  account: Account
  /** Unix seconds. */
  now: number
  /** What turns are computed for; default: a week from now, or two turns where a turn is longer. */
  span?: Span | undefined
}

/**
 * A list of schedules as JSON. Each may have thousands of turns: they are calculated and written in pieces, and other requests are answered in between.
 * @throws ApiError where they are more than one answer may have.
 */
export async function itemsJson(schedules: Iterable<SeededSchedule>, answering: Answering): Promise<string> {
  const items: string[] = []
  let left = MAX_LENGTH
  for (const schedule of schedules) {
    const item = await itemJson(schedule, answering, left)
    left -= item.length
    items.push(item)
  }
  return `[${items.join(',')}]`
}

/** The same of one. */
export function itemJson(schedule: SeededSchedule, answering: Answering, left = MAX_LENGTH): Promise<string> {
  return inPieces(writing(schedule, answering, left))
}

function* writing(schedule: SeededSchedule, { account, now, span }: Answering, left: number): Steps<string> {
  const calculated = yield* calculate(schedule, schedule.timezone ?? account.timezone, now, span)
  let room = left
  const turnsJson = function* (turns: readonly FinalTurn[], copies: number): Steps<string> {
    if (turns.length === 0) return 'null'
    const write = jsonWriterOf(CalculatedTurn)
    const written: string[] = []
    for (const [nth, turn] of turns.entries()) {
      const json = write(shown(turn))
      room -= copies * (json.length + 1)
      if (room < 0) throw tooMany()
      written.push(json)
      if (nth % TURNS_A_PIECE === 0) yield
    }
    return `[${written.join(',')}]`
  }
  const layers: string[] = []
  for (const [layer, turns] of calculated.turns) {
    const name = JSON.stringify(layer.layer_name)
    const own = turns.map((turn) => ({ ...turn, layer }))
    const schedules = yield* turnsJson(own, 2)
    layers.push(`{"layer_name":${name},"name":${name},"mode":${layer.mode ?? 0},"schedules":${schedules}}`)
  }
  const all = layers.length > 0 ? `[${layers.join(',')}]` : 'null'
  const final = `{"layer_name":"","name":"","mode":0,"schedules":${yield* turnsJson(calculated.final, 1)}}`
  const head = jsonWriterOf(ScheduleHead)(toHead(schedule, account, calculated))
  return `${head.slice(0, -1)},"schedule_layers":${all},"layer_schedules":${all},"final_schedule":${final}}`
}

function tooMany(): ApiError {
  return new ApiError('EntityTooLarge', {
    en: 'The turns are more than one answer may have. Ask for fewer schedules, or for a shorter time: start and end.',
    zh: '轮班数超过单次响应的上限。请减少值班表数量，或用 start 和 end 缩短时间范围。',
  })
}
