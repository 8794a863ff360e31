import { isInCi } from '../git/ci-variables.ts'
import type { Problem, ProblemCode } from '../problems/problems.ts'
import type { DeliveryInput } from './delivery.ts'

/** What is not there where there is no key: CI has it. */
const ABSENT: ReadonlySet<ProblemCode> = new Set([
  'api-key-missing',
  'service-missing',
  'version-missing',
  'prefix-missing',
  'inference-failed',
])

/** Without a key nothing is sent, so whatever else is not there does not matter either; what is there and wrong does. */
export function isSkipped({ keyRequired, settings }: DeliveryInput, problems: readonly Problem[]): boolean {
  const required = keyRequired ?? (settings.adapter === 'cli' || isInCi(settings.env ?? process.env))
  const errors = problems.filter(({ severity }) => severity === 'error')
  return (
    !required && errors.some(({ code }) => code === 'api-key-missing') && errors.every(({ code }) => ABSENT.has(code))
  )
}
