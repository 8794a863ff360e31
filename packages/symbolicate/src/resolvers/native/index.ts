import { defineResolver } from '../resolver.ts'
import { isAppleReport, MAX_REPORT_LENGTH } from './apple-report.ts'
import { MAX_NATIVE_FRAMES } from './native-stack.ts'

export const native = defineResolver({
  platform: 'ios',
  limits: { frames: MAX_NATIVE_FRAMES, characters: MAX_REPORT_LENGTH },
  isStack: isAppleReport,
  create: (shared) => (question, source) => shared.native.explainAppleStack(question, source),
})
