import { t } from '@symup/core/text'
import { type PluginEdit, withPlugin } from './edit-config.ts'
import { placeToWrite } from './place.ts'
import { scriptsOf } from './plugin-tool.ts'
import type { Project } from './project.ts'
import { olderThanPlugin } from './too-old.ts'
import { changeOf, fileLike, type Tool } from './tool.ts'

/** Creates a tool for bundlers without a config file. A script in the project calls the bundler's `build()` function. */
export function buildScript(id: string, name: string, evidence: Tool['evidence']): Tool {
  return {
    id,
    name,
    evidence,
    setUp(project) {
      const older = olderThanPlugin(project, id, name)
      if (older) return older
      const edit: PluginEdit = { from: `@symup/unplugin/${id}`, first: true }
      const packages = ['@symup/unplugin']
      for (const path of scriptsOf(project)) {
        const before = project.read(path) ?? ''
        const after = withPlugin(before, edit)
        if (after === undefined) continue
        const minifiedPathPrefix = placeToWrite(project, { path, builds: before, at: ['publicPath'] })
        return { packages, changes: changeOf(path, before, after), minifiedPathPrefix }
      }
      const byHand = t`No script in package.json calls build() from ${name}. The ${name} command does not support plugins. Add this code to your build script:\n\nimport symup from '${edit.from}'\n\nplugins: [symup(), …]`
      const builds = Object.values(project.manifest.scripts ?? {}).filter((line) => line.includes(id))
      const minifiedPathPrefix = placeToWrite(project, { builds: builds.join('\n'), at: ['publicPath'] })
      return { packages, changes: [], minifiedPathPrefix, byHand }
    },
  }
}

/** Detects Bun as the bundler only from scripts, because a Bun lock file identifies only the package manager. */
export function runsBun(project: Project): string | undefined {
  const runs = Object.values(project.manifest.scripts ?? {}).some((line) => /\bbun build\b/.test(line))
  const calls = scriptsOf(project).some((path) => /\bBun\.build\(|from ['"]bun['"]/.test(project.read(path) ?? ''))
  return runs || calls ? (fileLike(project, /^bun\.lockb?$/) ?? 'Bun') : undefined
}
