import type { SymupOptions } from './options.ts'

/** Options for plugins whose hooks a test calls. The plan does not depend on an intake, so none runs. */
export const OPTIONS: SymupOptions = {
  ...{ service: 'shop', version: '1', ignoreConfigFile: true, git: false, dryRun: true },
}

/** The map for a script that contains `fail()`. */
export const MAP = '{"version":3,"sources":["a.ts"],"sourcesContent":["fail()"],"names":[],"mappings":"AAAA"}'
