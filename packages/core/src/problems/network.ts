import { defineProblems } from './define.ts'

export const NETWORK = defineProblems('network', {
  unreachable: {
    severity: 'error',
    cause:
      'The intake could not be reached, its certificate is not trusted, or the connection broke before it answered.',
    fix: 'Check the address, the network and the proxy, then upload again.',
  },
  'not-tried': {
    severity: 'error',
    cause: 'Not sent: an earlier failure would have repeated, or the run was stopped before an answer came.',
    fix: 'Fix the earlier problem, if there is one, then upload again.',
  },
})
