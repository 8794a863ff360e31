import { Unanswered } from '@symup/symbolicate'
import { expect, it } from 'vitest'
import { refuse } from './explain.ts'

it('reports a stack that exceeds a limit as a problem, and any other error as a bug', () => {
  const unanswered = new Unanswered('too-expensive', 'It took more than 30 s to resolve this stack')
  expect(() => refuse(unanswered)).toThrow(
    expect.objectContaining({ exitCode: 1, problems: [expect.objectContaining({ code: 'stack-too-expensive' })] }),
  )
  const bug = new Error('a bug')
  expect(() => refuse(bug)).toThrow(bug)
})
