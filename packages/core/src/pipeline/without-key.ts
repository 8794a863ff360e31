import { isInCi } from '../git/ci-variables.ts'
import type { Problem, ProblemCode } from '../problems/problems.ts'
import type { DeliveryInput } from './delivery.ts'

/** Settings that are only missing, not wrong, without a key, because CI has them. */
const ABSENT: ReadonlySet<ProblemCode> = new Set([
  'api-key-missing',
  'service-missing',
  'version-missing',
  'prefix-missing',
  'inference-failed',
])

/** Without a key nothing is sent, so other missing settings do not matter. Wrong ones do. */
export function isSkipped({ keyRequired, settings }: DeliveryInput, problems: readonly Problem[]): boolean {
  const required = keyRequired ?? (settings.adapter === 'cli' || isInCi(settings.env ?? process.env))
  const errors = problems.filter(({ severity }) => severity === 'error')
  return (
    !required && errors.some(({ code }) => code === 'api-key-missing') && errors.every(({ code }) => ABSENT.has(code))
  )
}
