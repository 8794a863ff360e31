import type { OptionsOf } from '@symup/core'

/** The published `index.d.cts` contains the documentation of these options. */
export interface SymupOptions extends OptionsOf<'hvigor'> {
  /** hvigor's own object, for `-p symup.service=shop` on the command line. */
  hvigor?: { getParameter(): { getExtParam(key: string): string | undefined } }
}
