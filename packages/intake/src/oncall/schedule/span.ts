import { invalidParameter } from '../../platform/errors.ts'
import type { Span } from './spans.ts'

const MAX_SECONDS = 45 * 86_400
/** Start of the last year that a calendar supports. */
const LAST_YEAR = Date.UTC(275760, 0) / 1000

/**
 * The requested span for turns, if any.
 * @throws ApiError if it ends before it starts, has more than 45 days, or is outside the calendar.
 */
export function spanOf(start: number | undefined, end: number | undefined): Span | undefined {
  if (!start || !end) return undefined
  if (end <= start) throw invalidParameter('end', { en: 'It must be after start.', zh: '必须晚于 start。' })
  if (end - start > MAX_SECONDS)
    throw invalidParameter('end', { en: 'It may be 45 days after start at most.', zh: '与 start 相隔不能超过 45 天。' })
  if (end > LAST_YEAR)
    throw invalidParameter('end', {
      en: 'It is in seconds, and no calendar goes so far.',
      zh: '单位为秒，且超出了日历的范围。',
    })
  return { start, end }
}
