import { expect, it } from 'vitest'
import { REASONS, reason } from './reasons.ts'

/** Reasons for which the user need not do anything. */
const WITHOUT_FIX = new Set(['not-a-project-frame', 'compiler-generated', 'already-original'])

it.each(Object.entries(REASONS))('%s explains its cause and what to do in sentences', (code, { cause, fix }) => {
  expect(cause).toMatch(/^\S.*\.$/)
  if (WITHOUT_FIX.has(code)) expect(fix).toBe('')
  else expect(fix).toMatch(/^\S.*\.$/)
  expect(reason(code as keyof typeof REASONS)).toEqual({ code, message: cause, fix })
  expect(reason(code as keyof typeof REASONS, 'Another.', 'Do it.')).toEqual({
    code,
    message: 'Another.',
    fix: 'Do it.',
  })
})
