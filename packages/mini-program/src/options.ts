// Generated from packages/core/src/settings/definitions.ts by npm run docs

import type { PluginOptions } from '@symup/core'

export type { OnError } from '@symup/core'

export interface MiniProgramOptions extends PluginOptions {
  /**
   * The appid that distinguishes mini programs with the same service and version.
   * `'auto'` uses the value in the project file in the build output.
   */
  appid?: string
  /**
   * Path of the archive, relative to the project.
   * @default 'node_modules/.cache/symup/sourcemap.zip'
   */
  output?: string
  /**
   * Delete the source maps in the build output after they are packed.
   * If source maps remain in the output, WeChat tools combine them with their own maps.
   * @default false
   */
  deleteMaps?: boolean
}
