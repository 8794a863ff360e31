import { defineProblems } from './define.ts'

/** Deployed files reveal too much: sources, their names, or the API key. */
export const LEAK = defineProblems('leak', {
  'map-inline': {
    severity: 'warning',
    cause:
      'A source map, or with `eval` the sources themselves, is inside the deployed JavaScript file, where everyone can read it. A map at its end is uploaded anyway.',
    fix: 'Use hidden source maps, so that the sources are not deployed.',
  },
  'maps-linked': {
    severity: 'warning',
    cause: 'The bundler adds references to the source maps to the deployed files, so anyone can read the sources.',
    fix: "Set the bundler's source map option to 'hidden'.",
  },
  'map-not-deleted': {
    severity: 'error',
    cause:
      'A source map should have been removed from the output, but it could not be deleted or moved: the file system refused, or it is behind a symbolic link.',
    fix: 'Delete it before deploying the output.',
  },
  'leak-api-key': {
    severity: 'error',
    cause: "A file that will be deployed contains the intake's API key, in plain text or encoded.",
    fix: 'Revoke the key, remove it from the code, and pass it to the build only in the environment, not through a bundled constant or variable.',
  },
  'leak-map': {
    severity: 'warning',
    cause: 'A source map is in the output directory. If it is deployed, everyone can read the sources.',
    fix: 'Let the plugin delete the maps after the upload (deleteAfterUpload), or leave *.map out of the deployment.',
  },
  'leak-reference': {
    severity: 'warning',
    cause: 'A file refers to a source map that does not exist: browsers get a 404 for it, and anyone can see its name.',
    fix: 'Use hidden source maps, which no file refers to, or remove the comment when the map is removed.',
  },
  'leak-manifest': {
    severity: 'warning',
    cause:
      'A manifest or precache list contains source maps; a service worker that cannot load them may fail to install.',
    fix: 'Leave *.map out of the list (Workbox: globIgnores or exclude).',
  },
  'leaks-incomplete': {
    severity: 'info',
    cause:
      'Some files of the output were not searched, because the search took too long or a directory cannot be listed.',
    fix: 'Run `symup check <dir>`, which searches all of them.',
  },
})
