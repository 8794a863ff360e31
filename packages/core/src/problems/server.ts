import { defineProblems } from './define.ts'

export const SERVER = defineProblems('server', {
  'rate-limited': {
    severity: 'error',
    cause: 'The intake limited the request rate (429) for longer than the time that symup waits.',
    fix: 'Upload again later, or lower the concurrency.',
  },
  'server-error': {
    severity: 'error',
    cause: 'The intake returned a server error for every attempt.',
    fix: 'Upload again later. To show the id of each request, which helps the operator of the intake, pass --verbose.',
  },
})
