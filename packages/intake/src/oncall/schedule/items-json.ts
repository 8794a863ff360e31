import { setImmediate } from 'node:timers/promises'
import { jsonWriterOf } from '../../platform/wire/json-writer.ts'
import { ScheduleItem } from './schema.ts'

/** A list of schedules as JSON. Each may have thousands of turns: they are calculated and written one by one, and other requests are answered in between. */
export async function itemsJson<T>(schedules: Iterable<T>, toItem: (schedule: T) => ScheduleItem): Promise<string> {
  const written: string[] = []
  for (const schedule of schedules) {
    const item = toItem(schedule)
    await setImmediate()
    written.push(jsonWriterOf(ScheduleItem)(item))
    await setImmediate()
  }
  return `[${written.join(',')}]`
}
