import { t } from '@symup/core/internal'
import { valueAt, withValue } from './edit-json.ts'
import { isRun } from './plugin-tool.ts'
import { dependency, fileLike, type Tool } from './tool.ts'

export const parcel: Tool = {
  id: 'parcel',
  name: 'Parcel',
  evidence: (project) =>
    fileLike(project, /^\.parcelrc$/) ?? (isRun(project, 'parcel') ? dependency(project, 'parcel') : undefined),
  setUp(project) {
    const path = '.parcelrc'
    const reporter = '@symup/parcel-reporter'
    const packages = [reporter]
    const before = project.read(path)
    if (before?.includes(reporter)) return { packages, changes: [] }
    const own = valueAt(before, ['reporters']) ?? ['...']
    const config = before ?? '{\n  "extends": "@parcel/config-default"\n}\n'
    const after = Array.isArray(own) ? withValue(config, ['reporters'], [...own, reporter]) : undefined
    // It may be JSON5, of which only a part can be changed.
    const line = `"reporters": ["...", "${reporter}"]`
    const byHand = t`init cannot change ${path} by itself. Add:\n\n${line}`
    if (after === undefined) return { packages, changes: [], byHand }
    return { packages, changes: [{ path, ...(before !== undefined && { before }), after }] }
  },
}
