import { decideMaps, MAP_DECISIONS, type MapSetting } from '../packages/unplugin/src/maps.ts'

const SETTINGS: Readonly<Record<MapSetting, string>> = {
  unset: 'not set',
  hidden: 'hidden maps',
  linked: 'maps that the scripts refer to',
  inline: 'maps inside the scripts',
  none: 'no maps',
}
const WORDS = { now: '', hidden: '' }

export function mapsTable(): string {
  const rows = (Object.keys(MAP_DECISIONS) as MapSetting[]).map((setting) => {
    const cells = [undefined, true, false].map((wanted) => cellOf(setting, wanted))
    return `| ${[SETTINGS[setting], ...cells].join(' | ')} |`
  })
  return ["| the bundler's setting | not set | `true` | `false` |", '| --- | --- | --- | --- |', ...rows].join('\n')
}

function cellOf(setting: MapSetting, deleteAfterUpload: boolean | undefined): string {
  const { hide, deletes, problems } = decideMaps(setting, deleteAfterUpload, WORDS)
  const does = [hide ? 'set to hidden' : 'unchanged', deletes ? 'deleted' : setting === 'none' ? '' : 'kept']
  const reports = problems.map(({ code }) => `reports \`${code}\``)
  return [...does, ...reports].filter((text) => text !== '').join(', ')
}
