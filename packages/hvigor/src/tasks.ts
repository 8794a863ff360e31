import { basename, dirname } from 'node:path'
import { DEFINITIONS, nameIn } from '@symup/core'
import { t, useLocale } from '@symup/core/text'
import type { AppContext, HvigorNode, ModuleContext, Target } from './hvigor.ts'
import { isOn } from './is-on.ts'
import type { SymupOptions } from './options.ts'
import type { UploadRequest } from './request.ts'
import { runUploader } from './run-uploader.ts'

/**
 * The module types. Each entry contains the plugin that builds the module, the packaging tasks in order of preference, and the task that
 * users run.
 */
const KINDS = [
  { plugin: 'com.ohos.hap', packers: ['SignHap', 'PackageHap'], assemble: 'assembleHap' },
  { plugin: 'com.ohos.hsp', packers: ['SignHsp', 'PackageHsp'], assemble: 'assembleHsp' },
  { plugin: 'com.ohos.har', packers: ['SignHar', 'PackageHar'], assemble: 'assembleHar' },
] as const

/** The targets that were uploaded. Both the module's task and the app's task may run, but each target is uploaded only once. */
export type Uploaded = Set<string>

/** Registers a task for each target of a HAP, HSP or HAR module. */
export function registerModuleTasks(node: HvigorNode, options: SymupOptions, uploaded: Uploaded): void {
  for (const { plugin, packers, assemble } of KINDS) {
    const context = node.getContext(plugin) as ModuleContext | undefined
    if (context == null) continue
    visitTargets(context, (target) => {
      const targetName = target.getTargetName()
      const name = `${targetName}@SymupUpload_${node.getNodeName()}`
      // The plugin may be used in both the root's hvigorfile and the module's hvigorfile. Registering a second task with the same name
      // would cause the build to fail.
      if (node.getTaskByName(name) != null) return
      // Depend only on tasks that exist, because an unknown dependency fails the build. Without a dependency, the task would run before the
      // symbols exist.
      const after = ['CollectDebugSymbol', ...packers].find(
        (task) => node.getTaskByName(`${targetName}@${task}`) != null,
      )
      node.registerTask({
        name,
        ...(after !== undefined && { dependencies: [`${targetName}@${after}`] }),
        ...(node.getTaskByName(assemble) != null && { postDependencies: [assemble] }),
        run: ({ modulePath }) =>
          upload({ node, context, target, directory: modulePath ?? node.getNodePath() }, options, uploaded),
      })
    })
  }
}

/** Registers a separate task for `assembleApp`, because `assembleApp` may not run the `assemble` tasks of the modules. */
export function registerAppTask(root: HvigorNode, options: SymupOptions, uploaded: Uploaded): void {
  const after = ['SignApp', 'PackageApp'].find((task) => root.getTaskByName(task) != null)
  if (after === undefined || root.getTaskByName('assembleApp') == null || root.getTaskByName('SymupUploadApp') != null)
    return
  root.registerTask({
    name: 'SymupUploadApp',
    dependencies: [after],
    postDependencies: ['assembleApp'],
    run: () =>
      root.subNodes((node) => {
        for (const { plugin } of KINDS) {
          const context = node.getContext(plugin) as ModuleContext | undefined
          if (context == null) continue
          const directory = node.getNodePath()
          visitTargets(context, (target) => upload({ node, context, target, directory }, options, uploaded))
        }
      }),
  })
}

/** Visits all targets except test targets, which are not part of the app. */
function visitTargets(context: ModuleContext, visit: (target: Target) => void): void {
  context.targets((target) => {
    if (target.getTargetName() !== 'ohosTest') visit(target)
  })
}

interface ModuleTarget {
  node: HvigorNode
  context: ModuleContext
  target: Target
  directory: string
}

function upload({ node, context, target, directory }: ModuleTarget, options: SymupOptions, uploaded: Uploaded): void {
  const key = `${node.getNodePath()} ${target.getTargetName()}`
  if (uploaded.has(key)) return
  uploaded.add(key)
  const app = appContextOf(node)
  const mode = modeOf(context, app, target)
  const values = given(options)
  useLocale()
  // If the plugin is disabled in the hvigorfile, no tasks are registered. Values from the command line are not known until a task runs.
  if (values.enabled === 'false') return
  if (mode === 'debug' && !isOn(values.includeDebug)) {
    console.log(`> hvigor INFO: symup: ${t`${node.getNodeName()} is a debug build, so nothing is uploaded.`}`)
    return
  }
  const versionName = versionNameOf(app)
  const request: UploadRequest = {
    directory,
    target: target.getTargetName(),
    mode,
    ...placeOf(target, app),
    options: values,
    ...(versionName !== undefined && { versionName }),
  }
  runUploader(request)
}

function appContextOf(node: HvigorNode): AppContext | undefined {
  let root = node
  for (let parent = root.getParentNode(); parent != null; parent = root.getParentNode()) root = parent
  return (root.getContext('com.ohos.app') as AppContext | undefined) ?? undefined
}

function productOf(app: AppContext | undefined): string | undefined {
  return app?.getCurrentProduct?.()?.getProductName?.()
}

/** Returns the version name. Values for the product in build-profile.json5 override values in app.json5. */
function versionNameOf(app: AppContext | undefined): string | undefined {
  const name = productOf(app)
  const product = app?.getBuildProfileOpt?.()?.app?.products?.find((it) => it.name === name)
  return product?.versionName || app?.getAppJsonOpt?.()?.app?.versionName
}

function modeOf(context: ModuleContext, app: AppContext | undefined, target: Target): 'release' | 'debug' {
  const named = context.getBuildMode?.() ?? app?.getBuildMode?.()
  if (named !== undefined) return named === 'debug' ? 'debug' : 'release'
  return target.getBuildOption?.()?.debuggable === true ? 'debug' : 'release'
}

/**
 * Returns the build directory and the product. The output path always ends with `<product>/outputs/<target>`, regardless of the build
 * directory.
 */
function placeOf(target: Target, app: AppContext | undefined): Pick<UploadRequest, 'buildDirectory' | 'product'> {
  const path = target.getBuildTargetOutputPath?.()
  if (path === undefined || basename(dirname(path)) !== 'outputs') {
    const built = productOf(app)
    return built === undefined ? {} : { product: built }
  }
  const product = dirname(dirname(path))
  return { buildDirectory: dirname(product), product: basename(product) }
}

/** Returns the options that were set. The command line takes precedence over the hvigorfile. */
function given({ hvigor, ...options }: SymupOptions): Readonly<Record<string, unknown>> {
  const asked = DEFINITIONS.filter(([name]) => nameIn('hvigor', name) !== undefined).map(
    ([name]) => [name, hvigor?.getParameter().getExtParam(`symup.${name}`)] as const,
  )
  return { ...options, ...commandLine(), ...Object.fromEntries(asked.filter(([, value]) => value !== undefined)) }
}

/** Returns the user's command-line options. If the build runs in the daemon, these options are not on the command line of this process. */
function commandLine(): Record<string, string> {
  const pairs = process.argv.filter((_, index) => ['-p', '--prop'].includes(process.argv[index - 1] ?? ''))
  const named = pairs.map((pair) => /^symup\.([^=]+)=(.*)$/s.exec(pair)).filter((found) => found !== null)
  return Object.fromEntries(named.map(([, name, value]) => [name, value]))
}
