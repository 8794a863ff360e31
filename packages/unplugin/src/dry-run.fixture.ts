import type { SymupOptions } from './options.ts'

/** Plugin options for tests that call hooks. They only plan the upload, so the tests need no intake. */
export const OPTIONS: SymupOptions = {
  ...{ service: 'shop', version: '1', ignoreConfigFile: true, git: false, dryRun: true },
}

/** The map for a script that contains `fail()`. */
export const MAP = '{"version":3,"sources":["a.ts"],"sourcesContent":["fail()"],"names":[],"mappings":"AAAA"}'
