import { type Problem, problem } from '@symup/core'
import { t, translated } from '@symup/core/text'

/**
 * The user's source map setting, in terms that apply to every bundler.
 * - `unset`: Nothing is set, so no bundler generates maps for a release.
 * - `hidden`: Maps are written, but deployed files do not refer to them.
 * - `linked`: Maps are written, and deployed files refer to them.
 * - `inline`: The maps are inside the deployed files.
 * - `none`: Map files are explicitly turned off.
 */
export type MapSetting = 'unset' | 'hidden' | 'linked' | 'inline' | 'none'

export interface MapDecision {
  /** Whether to tell the bundler to generate hidden maps. If false, the bundler's setting stays unchanged. */
  hide: boolean
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
 * The decisions for each combination of the user's source map setting and `deleteAfterUpload`. The source map setting is changed only if
 * the two contradict each other, because deployed files must not refer to a deleted map. Maps that only the plugin requested are deleted
 * after the upload, because a build without the plugin would not have them. Sentry's SDKs make the same decisions.
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
  // Inline maps are reported after the build, when the file names are known.
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

export interface MapSettingLabels {
  /** The current setting as shown in messages, such as `build.sourcemap is true`. */
  now: string
  /** The suggested setting, such as `build.sourcemap: 'hidden'`. Undefined if the bundler does not support hidden maps. */
  hidden?: string
  /** The fix if the build generates no maps. Default: set `hidden`, or remove the setting. */
  on?: string
}

export function decideMaps(
  setting: MapSetting,
  deleteAfterUpload: boolean | undefined,
  labels: MapSettingLabels,
): MapDecision {
  const row: Row =
    MAP_DECISIONS[setting][deleteAfterUpload === undefined ? 'left out' : deleteAfterUpload ? 'true' : 'false']
  return {
    hide: row.hide ?? false,
    deletes: row.deletes ?? false,
    problems: row.say === undefined ? [] : [remark(row.say, labels)],
  }
}

function remark(say: Remark, { now: setting, hidden, on }: MapSettingLabels): Problem {
  const now = translated(setting)
  const hide = hidden === undefined ? t`Remove the setting.` : t`Set ${hidden}.`
  switch (say) {
    case 'linked':
      return problem(
        'maps-linked',
        t`${now}, so the deployed scripts point to their source maps and anyone can read your sources.`,
        {
          fix:
            hidden === undefined
              ? t`Remove the setting, or set deleteAfterUpload: true. If you intend to publish the source maps, set deleteAfterUpload: false.`
              : t`Set ${hidden}, or deleteAfterUpload: true. If you intend to publish the source maps, set deleteAfterUpload: false.`,
        },
      )
    case 'linked-but-deleted':
      return problem(
        'maps-linked',
        t`${now}, but deleteAfterUpload is set, so symup generates source maps as if ${hidden} were set.`,
        {
          severity: 'info',
          fix: t`Set ${hidden} instead, which has the same effect.`,
        },
      )
    case 'inline-not-deleted':
      return problem(
        'map-inline',
        t`${now}, so the source maps are inside the deployed scripts and cannot be deleted after the upload.`,
        {
          fix: hide,
        },
      )
    case 'off':
      return problem('sourcemaps-off', t`${now}, so there is nothing to upload.`, {
        fix: on ?? (hidden === undefined ? hide : t`Set ${hidden}, or remove the setting.`),
      })
  }
}

/** Reads the source map setting of Vite, Rollup and Rolldown, which accept the same values. */
export function rollupMapSetting(sourcemap: boolean | 'inline' | 'hidden' | undefined): MapSetting {
  if (sourcemap === undefined) return 'unset'
  if (sourcemap === false) return 'none'
  return sourcemap === true ? 'linked' : sourcemap
}
