import { t } from '@symup/core/text'
import { valueAt, withValue } from './edit-json.ts'
import { isRun } from './plugin-tool.ts'
import { dependency, edited, fileLike, type Tool } from './tool.ts'

export const parcel: Tool = {
  id: 'parcel',
  name: 'Parcel',
  evidence: (project) =>
    fileLike(project, /^\.parcelrc$/) ?? (isRun(project, 'parcel') ? dependency(project, 'parcel') : undefined),
  setUp(project) {
    const path = '.parcelrc'
    const reporter = '@symup/parcel-reporter'
    const change = (config: string) => {
      const own = valueAt(config, ['reporters']) ?? ['...']
      if (config.includes(reporter)) return config
      // `.parcelrc` is a JSON5 file, which cannot always be edited automatically.
      return Array.isArray(own) ? withValue(config, ['reporters'], [...own, reporter]) : undefined
    }
    const byHand = t`init cannot edit ${path} automatically. Add this code:\n\n${`"reporters": ["...", "${reporter}"]`}`
    const made = change('{\n  "extends": "@parcel/config-default"\n}\n')
    return { packages: [reporter], ...edited(project, [{ path, change, made, byHand }]) }
  },
}
