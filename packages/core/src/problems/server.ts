import { defineProblems } from './define.ts'

export const SERVER = defineProblems('server', {
  'rate-limited': {
    severity: 'error',
    cause: 'The intake limited the request rate (429) for longer than symup waits.',
    fix: 'Upload again later, or lower the concurrency.',
  },
  'server-error': {
    severity: 'error',
    cause: 'The intake returned a server error for every attempt.',
    fix: 'Upload again later. If the problem persists, pass --verbose to show the id of each request, and send the ids to the operator of the intake.',
  },
})
