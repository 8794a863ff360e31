import type { OptionsOf } from '@symup/core'

/** The published `index.d.cts` documents these options. */
export interface SymupOptions extends OptionsOf<'hvigor'> {
  /** The `hvigor` object of `@ohos/hvigor`, which provides values from the command line, such as `-p symup.service=shop`. */
  hvigor?: { getParameter(): { getExtParam(key: string): string | undefined } }
}
