import { defineProblems } from './define.ts'

export const TOO_LARGE = defineProblems('too-large', {
  'too-large': {
    severity: 'error',
    cause: 'The intake refused the artifact because of its size (413).',
    fix: 'Split the chunk, or raise the limit of the intake or its proxy.',
  },
  'archive-too-large': {
    severity: 'error',
    cause: 'The archive exceeds a limit: 50 MB for each .js.map, 500 MB in all (both decompressed), 5000 entries.',
    fix: 'Remove files that are not source maps, or split the large chunk.',
  },
  'mapping-too-large': {
    severity: 'error',
    cause: 'The mapping file is larger than 500 MB.',
    fix: 'Remove the indentation in the mapping file, or keep fewer line ranges.',
  },
})
