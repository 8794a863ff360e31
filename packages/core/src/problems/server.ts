import { defineProblems } from './define.ts'

/** The intake answered, but could not do its work. */
export const SERVER = defineProblems('server', {
  'rate-limited': {
    severity: 'error',
    cause: 'The intake asked to slow down (429) and went on asking for longer than symup waits.',
    fix: 'Upload again later, or with a lower concurrency.',
  },
  'server-error': {
    severity: 'error',
    cause: 'The intake answered with an error of its own, every time it was asked.',
    fix: 'Upload again later; give the request id to whoever runs the intake.',
  },
})
