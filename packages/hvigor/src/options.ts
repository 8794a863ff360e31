import type { OptionsOf } from '@symup/core'

/** These options are documented in the published `index.d.cts`. */
export interface SymupOptions extends OptionsOf<'hvigor'> {
  /** hvigor's own object, for `-p symup.service=shop` on the command line. */
  hvigor?: { getParameter(): { getExtParam(key: string): string | undefined } }
}
