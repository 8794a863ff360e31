import { Unanswered, type UnansweredCode } from '@symup/symbolicate'
import { expect, it } from 'vitest'
import { ApiError } from '../../platform/errors.ts'
import { answerOf } from './stack-enrich.ts'

it.each<[UnansweredCode, string, object]>([
  ['busy', 'stack-busy', { 'Retry-After': '1' }],
  ['cancelled', 'stack-cancelled', { 'Retry-After': '1' }],
  ['too-expensive', 'stack-too-expensive', {}],
])('reports that a stack is %s in the language of the client', async (code, reason, headers) => {
  const unanswered = new Unanswered(code, 'It took more than 10 s.')
  const error = await answerOf(Promise.reject(unanswered)).catch((error: unknown) => error)
  if (!(error instanceof ApiError)) throw error
  expect(error).toMatchObject({ code: 'ServiceUnavailable', reason, headers })
  expect(error.messageIn('en')).toMatch(/^It took more than 10 s\./)
  expect(error.messageIn('zh')).toMatch(/^\p{Script=Han}[^A-Za-z]*$/u)
})
