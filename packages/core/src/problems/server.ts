import { defineProblems } from './define.ts'

export const SERVER = defineProblems('server', {
  'rate-limited': {
    severity: 'error',
    cause: 'The intake limited the request rate (429) for longer than symup waits.',
    fix: 'Upload again later, or lower the concurrency.',
  },
  'server-error': {
    severity: 'error',
    cause: 'The intake answered every attempt with a server error.',
    fix: 'Upload again later. Pass --verbose to show the id of each request, which helps the operator of the intake.',
  },
})
