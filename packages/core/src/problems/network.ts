import { defineProblems } from './define.ts'

/** The intake did not answer. */
export const NETWORK = defineProblems('network', {
  unreachable: {
    severity: 'error',
    cause:
      'The intake could not be reached, its certificate is not trusted, or the connection broke before it answered.',
    fix: 'Check the address, the network and the proxy; then upload again.',
  },
  'not-tried': {
    severity: 'error',
    cause:
      'It was not sent, because after an earlier failure it would have failed too, or because the run was stopped; or no answer came before the stop.',
    fix: 'Fix the earlier problem, if there is one; then upload again.',
  },
})
