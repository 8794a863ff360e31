import type { SymupOptions } from './options.ts'

/** Of a plugin whose hooks a test calls. No intake is there: what is planned does not depend on it. */
export const OPTIONS: SymupOptions = {
  ...{ service: 'shop', version: '1', ignoreConfigFile: true, git: false, dryRun: true },
}

/** Of a script that is `fail()`. */
export const MAP = '{"version":3,"sources":["a.ts"],"sourcesContent":["fail()"],"names":[],"mappings":"AAAA"}'
