import { defineResolver } from '../resolver.ts'
import { isAppleReport } from './apple-report.ts'

/** Crash reports and stacks of Apple's systems; frames of native code in other stacks are resolved line by line. */
export const native = defineResolver({
  platform: 'ios',
  isStack: isAppleReport,
  create: (shared) => (question, source) => shared.native.explainAppleStack(question, source),
})
