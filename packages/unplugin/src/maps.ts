import { type Problem, problem } from '@symup/core'
import { t, translated } from '@symup/core/text'

/**
 * What the user has set about source maps, in words that fit every bundler:
 * - `unset`: nothing. No bundler makes maps for a release then.
 * - `hidden`: maps are written, and nothing in what ships names them.
 * - `linked`: maps are written, and what ships names them.
 * - `inline`: the maps are inside what ships.
 * - `none`: no map files, stated explicitly.
 */
export type MapSetting = 'unset' | 'hidden' | 'linked' | 'inline' | 'none'

export interface MapDecision {
  /** Tell the bundler to make hidden maps; else its setting stays as it is. */
  hide: boolean
  /** Delete each map once the intake has it. */
  deletes: boolean
  problems: Problem[]
}

type Remark = 'linked' | 'linked-but-deleted' | 'inline-not-deleted' | 'off'

interface Row {
  hide?: true
  deletes?: true
  say?: Remark
}

/**
 * The user's source map setting × `deleteAfterUpload`. Two rules give the rows: what the user has set is only changed where the two settings
 * contradict each other (a deleted map must not be named by what ships), and maps that only the plugin asked for go when they
 * have been uploaded, because a build without the plugin would not have them. (Sentry's SDKs decide the same way.)
 */
export const MAP_DECISIONS: Readonly<Record<MapSetting, Readonly<Record<'left out' | 'true' | 'false', Row>>>> = {
  unset: {
    'left out': { hide: true, deletes: true },
    true: { hide: true, deletes: true },
    false: { hide: true },
  },
  hidden: {
    'left out': {},
    true: { deletes: true },
    false: {},
  },
  linked: {
    'left out': { say: 'linked' },
    true: { hide: true, deletes: true, say: 'linked-but-deleted' },
    false: {},
  },
  // Maps inside what ships are reported after the build, with the names of the files.
  inline: {
    'left out': {},
    true: { say: 'inline-not-deleted' },
    false: {},
  },
  none: {
    'left out': { say: 'off' },
    true: { say: 'off' },
    false: { say: 'off' },
  },
}

/** How a bundler's users write the two settings that messages speak of. */
export interface MapWords {
  /** What they have now: `build.sourcemap is true`. */
  now: string
  /** What they should write: `build.sourcemap: 'hidden'`. Default: nothing, as the bundler has no such maps. */
  hidden?: string
  /** What to do where there are no maps. Default: `hidden`, or to leave the setting out. */
  on?: string
}

export function decideMaps(setting: MapSetting, deleteAfterUpload: boolean | undefined, words: MapWords): MapDecision {
  const row: Row =
    MAP_DECISIONS[setting][deleteAfterUpload === undefined ? 'left out' : deleteAfterUpload ? 'true' : 'false']
  return {
    hide: row.hide ?? false,
    deletes: row.deletes ?? false,
    problems: row.say === undefined ? [] : [remark(row.say, words)],
  }
}

function remark(say: Remark, { now: setting, hidden, on }: MapWords): Problem {
  const now = translated(setting)
  const hide = hidden === undefined ? t`Leave the setting out.` : t`Set ${hidden}.`
  switch (say) {
    case 'linked':
      return problem(
        'maps-linked',
        t`${now}: the deployed scripts point to their source maps, so anyone can read your sources.`,
        {
          fix:
            hidden === undefined
              ? t`Leave the setting out, or set deleteAfterUpload: true; deleteAfterUpload: false if the sources may be read.`
              : t`Set ${hidden}, or deleteAfterUpload: true; deleteAfterUpload: false if the sources may be read.`,
        },
      )
    case 'linked-but-deleted':
      return problem('maps-linked', t`${now}, but deleteAfterUpload is set: the maps are made as with ${hidden}.`, {
        severity: 'info',
        fix: t`Set ${hidden}: it has the same effect.`,
      })
    case 'inline-not-deleted':
      return problem('map-inline', t`${now}: source maps inside deployed scripts cannot be deleted after the upload.`, {
        fix: hide,
      })
    case 'off':
      return problem('sourcemaps-off', t`${now}, so there is nothing to upload.`, {
        fix: on ?? (hidden === undefined ? hide : t`Set ${hidden}, or leave the setting out.`),
      })
  }
}

/** Reads the setting of Vite, Rollup and Rolldown, which share their values. */
export function rollupMapSetting(sourcemap: boolean | 'inline' | 'hidden' | undefined): MapSetting {
  if (sourcemap === undefined) return 'unset'
  if (sourcemap === false) return 'none'
  return sourcemap === true ? 'linked' : sourcemap
}
