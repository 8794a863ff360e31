import { defineProblems } from './define.ts'

export const AUTH = defineProblems('auth', {
  unauthorized: {
    severity: 'error',
    cause: 'The intake rejected the API key (401).',
    fix: 'Check that the key is complete, valid and intended for this endpoint.',
  },
  'app-key-refused': {
    severity: 'error',
    cause: 'The intake rejected the app key, or the key does not have permission to read symbol files (401, 403).',
    fix: 'Check that the app key is complete and belongs to the account that the files were uploaded to.',
  },
  forbidden: {
    severity: 'error',
    cause: 'The API key is valid but does not have permission to upload symbol files (403).',
    fix: 'Use a key that has permission to upload.',
  },
})
