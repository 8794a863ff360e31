import { defineProblems } from './define.ts'

export const LEAK = defineProblems('leak', {
  'map-inline': {
    severity: 'warning',
    cause:
      'A source map, or with `eval` the sources themselves, is inside the deployed JavaScript file, where everyone can read it. A map at the end of the file is uploaded anyway.',
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
      'symup could not delete or move a source map in the output: the file system refused, or the path contains a symbolic link.',
    fix: 'Delete the map before you deploy the output.',
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
    cause:
      'A file refers to a source map that does not exist. Browsers get a 404 for the map, and anyone can see its name.',
    fix: 'Use hidden source maps, or remove the comment when you remove the map.',
  },
  'leak-manifest': {
    severity: 'warning',
    cause:
      'A manifest or precache list contains source maps. A service worker that cannot load them may fail to install.',
    fix: 'Exclude *.map from the list (Workbox: globIgnores or exclude).',
  },
  'leaks-incomplete': {
    severity: 'info',
    cause:
      'Some files in the output were not searched, because the search took too long or a directory could not be listed.',
    fix: 'Run `symup check <dir>`, which searches all files.',
  },
})
