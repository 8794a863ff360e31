import { defineProblems } from './define.ts'

export const TOO_LARGE = defineProblems('too-large', {
  'too-large': {
    severity: 'error',
    cause: 'The intake refused the artifact because it is too large (413).',
    fix: 'Split the chunk, or raise the limit in the intake or its proxy.',
  },
  'archive-too-large': {
    severity: 'error',
    cause:
      'The archive exceeds a limit: 50 MB for each .js.map file or 500 MB in total (both decompressed), or 5000 entries.',
    fix: 'Remove files that are not source maps, or split large chunks.',
  },
  'mapping-too-large': {
    severity: 'error',
    cause: 'The mapping file is larger than 500 MB.',
    fix: 'Remove the indentation from the mapping file, or configure R8 to keep fewer line ranges.',
  },
})
