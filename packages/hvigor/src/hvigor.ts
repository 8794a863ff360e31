// The part of hvigor's plugin API that this package uses. The types are written by hand, because `@ohos/hvigor` is not on the npm registry.
// Source: the declarations of hvigor 5.17.

export interface HvigorPlugin {
  pluginId: string
  apply(node: HvigorNode): void
}

export interface HvigorNode {
  getNodeName(): string
  getNodePath(): string
  getParentNode(): HvigorNode | undefined
  subNodes(visit: (node: HvigorNode) => void): void
  registerTask(task: HvigorTask): void
  getTaskByName(name: string): unknown
  getContext(pluginId: string): unknown
  afterNodeEvaluate(act: (node: HvigorNode) => void): void
}

interface HvigorTask {
  /** Task names must be unique in the whole build. */
  name: string
  run(context: { moduleName?: string; modulePath?: string }): void
  /** Names of the node's tasks that run before this task. An unknown name stops the build. */
  dependencies?: string[]
  /** Names of the node's tasks that run after this task. */
  postDependencies?: string[]
}

export interface AppContext {
  getBuildMode?(): string
  getAppJsonOpt?(): { app?: { versionName?: string } } | undefined
  /** Contents of the project's build-profile.json5, with changes from the hvigorfile. */
  getBuildProfileOpt?(): { app?: { products?: readonly { name?: string; versionName?: string }[] } } | undefined
  getCurrentProduct?(): { getProductName?(): string } | undefined
}

export interface ModuleContext {
  /** Available since hvigor 5.18.4. */
  getBuildMode?(): string
  targets(visit: (target: Target) => void): void
}

export interface Target {
  getTargetName(): string
  getBuildTargetOutputPath?(): string
  getBuildOption?(): { debuggable?: boolean } | undefined
}
