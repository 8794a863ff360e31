import { defineProblems } from './define.ts'

export const LEAK = defineProblems('leak', {
  'map-inline': {
    severity: 'warning',
    cause:
      'A deployed JavaScript file contains an inline source map or, with `eval`, the sources themselves, so anyone can read the sources. symup still uploads inline source maps at the end of a file.',
    fix: 'Use hidden source maps so that the sources are not deployed.',
  },
  'maps-linked': {
    severity: 'warning',
    cause: 'The deployed files contain references to their source maps, so anyone can read the sources.',
    fix: "Set the source map option of the bundler to 'hidden'.",
  },
  'map-not-deleted': {
    severity: 'error',
    cause:
      'symup could not delete or move a source map in the output because the file system did not allow the change, or because the path contains a symbolic link.',
    fix: 'Delete the source map before you deploy the output.',
  },
  'leak-api-key': {
    severity: 'error',
    cause: 'A file that will be deployed contains the API key for the intake, in plain text or encoded.',
    fix: 'Revoke the key, remove it from the code, and create a new key. Pass the new key to the build only as an environment variable that is never bundled.',
  },
  'leak-map': {
    severity: 'warning',
    cause: 'A source map is in the output directory. If the directory is deployed, anyone can read the sources.',
    fix: 'Let the plugin delete source maps after the upload (deleteAfterUpload), or exclude *.map from the deployment.',
  },
  'leak-reference': {
    severity: 'warning',
    cause:
      'A file refers to a source map that does not exist. Browsers get a 404 error for the source map, and anyone can see its name.',
    fix: 'Use hidden source maps, or remove the sourceMappingURL comment together with the source map.',
  },
  'leak-manifest': {
    severity: 'warning',
    cause:
      'A manifest or precache list refers to source maps. If a service worker cannot load these source maps, its installation may fail.',
    fix: 'Exclude *.map from the list. In Workbox, use globIgnores or exclude.',
  },
  'leaks-incomplete': {
    severity: 'info',
    cause:
      'Some files in the output were not searched because the search took too long, or because a directory could not be listed.',
    fix: 'Run `symup check <dir>`, which searches all files.',
  },
})
