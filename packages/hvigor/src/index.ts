import type { HvigorNode, HvigorPlugin } from './hvigor.ts'
import type { SymupOptions } from './options.ts'
import { registerAppTask, registerModuleTasks, type Uploaded } from './tasks.ts'

/**
 * Uploads the ArkTS maps, name caches and unstripped libraries of release builds. In a module's hvigorfile, the plugin applies to that
 * module. In the root's hvigorfile, it applies to all modules:
 * `export default { system: hapTasks, plugins: [symup({ service: 'shop' })] }`.
 */
export function symup(options: SymupOptions = {}): HvigorPlugin {
  return {
    pluginId: 'symup',
    apply(node) {
      if (options.enabled === false) return
      const uploaded: Uploaded = new Set()
      // Targets and build tasks do not exist until the node has been evaluated.
      const register = (module: HvigorNode) =>
        module.afterNodeEvaluate(() => registerModuleTasks(module, options, uploaded))
      if (node.getParentNode() != null) {
        register(node)
        return
      }
      node.subNodes(register)
      node.afterNodeEvaluate(() => registerAppTask(node, options, uploaded))
    },
  }
}

export type { HvigorPlugin } from './hvigor.ts'
export type { SymupOptions } from './options.ts'
export default symup
