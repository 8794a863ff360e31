import { Unanswered } from '@symup/symbolicate'
import { expect, it } from 'vitest'
import { refuse } from './explain.ts'

it('a stack that exceeds a limit is a problem with a reason, and any other error is a bug', () => {
  const unanswered = new Unanswered('too-expensive', 'Resolving this stack took more than 30 s.')
  expect(() => refuse(unanswered)).toThrow(
    expect.objectContaining({ exitCode: 1, problems: [expect.objectContaining({ code: 'stack-too-expensive' })] }),
  )
  const bug = new Error('a bug')
  expect(() => refuse(bug)).toThrow(bug)
})
