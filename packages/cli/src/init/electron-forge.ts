import { phrase } from '@symup/core/text'
import { withPluginInList } from './edit-config.ts'
import { pluginTool } from './plugin-tool.ts'
import { changeOf, configFile, fileLike, type Tool } from './tool.ts'

export const NATIVE_CRASHES = [
  phrase`To resolve native crashes, also upload Breakpad symbols with npx symup electron upload <dir>.`,
]

interface ForgeTool extends Pick<Tool, 'id' | 'name'> {
  /** Parts of the app that have their own config file, such as `main` for `vite.main.config.ts`. */
  parts: readonly string[]
}

/** Each part of the app has its own config. The plugin determines the address of each part automatically. */
export function electronForge(bundler: 'vite' | 'webpack', { id, name, parts }: ForgeTool): Tool {
  const from = `@symup/unplugin/${bundler}`
  const tools = parts.map((part) => {
    const stem = `${bundler}.${part}`
    return pluginTool({ id, name, stem, tells: [], mayCreate: false, edit: { from }, knowsPlace: true })
  })
  return {
    id,
    name,
    evidence: (project) => configFile(project, `${bundler}.renderer`),
    setUp(project) {
      const common = { packages: ['@symup/unplugin'], notes: NATIVE_CRASHES }
      // In Electron Forge's TypeScript templates, all configs import the plugin list from one file.
      const shared = fileLike(project, new RegExp(`^${bundler}\\.plugins\\.[cm]?[jt]s$`))
      const before = shared === undefined ? undefined : project.read(shared)
      const after = before === undefined ? undefined : withPluginInList(before, 'plugins', from)
      if (shared !== undefined && before !== undefined && after !== undefined)
        return { ...common, changes: changeOf(shared, before, after) }
      const setups = tools.filter((tool) => tool.evidence(project)).map((tool) => tool.setUp(project))
      const byHand = setups.flatMap((setup) => setup.byHand ?? []).join('\n\n')
      return {
        ...common,
        changes: setups.flatMap(({ changes }) => changes),
        ...(byHand !== '' && { byHand }),
      }
    },
  }
}
