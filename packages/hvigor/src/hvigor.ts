// This file declares the part of hvigor's plugin API that this package uses. The declarations are written by hand, because `@ohos/hvigor`
// is not on the npm registry. Source: the declarations of hvigor 5.17.

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
  /** The name of the task. Task names must be unique across the whole build. */
  name: string
  run(context: { moduleName?: string; modulePath?: string }): void
  /** Names of tasks in the same node that must run before this task. The build fails if a name is unknown. */
  dependencies?: string[]
  /** Names of tasks in the same node that must run after this task. */
  postDependencies?: string[]
}

export interface AppContext {
  getBuildMode?(): string
  getAppJsonOpt?(): { app?: { versionName?: string } } | undefined
  /** Returns the project's build-profile.json5, including changes that were made in the hvigorfile. */
  getBuildProfileOpt?(): { app?: { products?: readonly { name?: string; versionName?: string }[] } } | undefined
  getCurrentProduct?(): { getProductName?(): string } | undefined
}

export interface ModuleContext {
  /** Available in hvigor 5.18.4 and later. */
  getBuildMode?(): string
  targets(visit: (target: Target) => void): void
}

export interface Target {
  getTargetName(): string
  getBuildTargetOutputPath?(): string
  getBuildOption?(): { debuggable?: boolean } | undefined
}
