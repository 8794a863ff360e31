import { defineProblems } from './define.ts'

export const NETWORK = defineProblems('network', {
  unreachable: {
    severity: 'error',
    cause:
      'The intake could not be reached, its certificate is not trusted, or the connection broke before a response arrived.',
    fix: 'Check the address, the network and the proxy, then upload again.',
  },
  'not-tried': {
    severity: 'error',
    cause:
      'The artifact was not sent because an earlier upload failed for a reason that affects all uploads, or because the run was stopped before a response arrived.',
    fix: 'If another problem was reported before this one, fix that problem. Then upload again.',
  },
})
