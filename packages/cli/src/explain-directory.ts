import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  addressOf,
  collectJavaScript,
  collectReactNative,
  type FilePart,
  hashFile,
  listFiles,
  type Problem,
  prove,
  type SymbolUpload,
} from '@symup/core'
import { isScript, mapApart, problemsInProject, withTemporaryDirectory } from '@symup/core/internal'
import { fileNameOf, isReactNativeBundle, pathAsPrefix, urlPath } from '@symup/core/resolving'
import { t } from '@symup/core/text'
import { artifactSourceOf, type Explanation } from '@symup/symbolicate'
import { archivedMaps, isDartStack, parseStack, platformOf, symbolicateApart } from '@symup/symbolicate/internal'
import type { Question } from './ask-intake.ts'
import { explainApple, explainDart, explainMobile, modulesIn } from './explain-app.ts'
import { type Sent, withDeletedMaps } from './explain-deleted.ts'
import { shownFiles, undecided } from './explain-failure.ts'
import { isDone } from './explanation-text.ts'
import { showProblems } from './terminal.ts'

/** Matches the output directory of a Gradle task such as `createBundleFreeReleaseJsAndAssets`. */
const GRADLE_TASK = /[\\/]createBundle(\w*)JsAndAssets[\\/]/i

/** Slow checks, which run after the explanation has been printed. */
export type Afterwards = (() => Promise<void>)[]

export function explainFromDirectory(
  directory: string,
  prefix: string,
  asked: Question,
  afterwards: Afterwards,
  sent?: Sent,
): Promise<Explanation> {
  // The files in the directory are used regardless of the release, so service and version are left empty.
  const question = { ...asked, service: '', version: '' }
  if (question.platform === 'miniprogram') return explainMiniProgram(directory, question)
  if (isDartStack(question.stack)) return explainDart(directory, question)
  if (question.platform === 'ios') return explainApple(directory, question)
  // React Native stacks are JavaScript stacks on every platform.
  const isMobile = question.platform === 'android' || question.platform === 'harmony'
  if (isMobile && question.platform === platformOf(question.stack)) return explainMobile(directory, question)
  return explainScripts({ path: directory, prefix, sent }, question, afterwards)
}

/**
 * Infers the deployment path of the directory from frames that contain names of files in the directory.
 * @returns `/` if no frame matches.
 */
export async function prefixFrom(stack: string, directory: string): Promise<{ value: string; from: string }> {
  const scripts = await scriptsIn(scriptDirectory(directory))
  const votes = new Map<string, number>()
  for (const { file } of parseStack(stack)) {
    if (file === undefined) continue
    const path = urlPath(file)
    const named = scripts.filter((script) => path.endsWith(`/${script}`)).sort((a, b) => b.length - a.length)[0]
    if (named === undefined) continue
    const prefix = pathAsPrefix(path.slice(0, -named.length - 1)) || '/'
    votes.set(prefix, (votes.get(prefix) ?? 0) + 1)
  }
  const [value = '/'] = [...votes].sort(([, a], [, b]) => b - a)[0] ?? []
  return { value, from: t`the stack` }
}

function scriptDirectory(path: string): string | undefined {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return path
  return isScript(path) || path.endsWith('.map') || isReactNativeBundle(path) ? dirname(path) : undefined
}

async function scriptsIn(directory: string | undefined): Promise<string[]> {
  return directory === undefined ? [] : (await listFiles(directory).catch(() => [])).filter(isScript)
}

async function explainMiniProgram(from: string, question: Question): Promise<Explanation> {
  const { pack } = await import('@symup/mini-program')
  return withTemporaryDirectory(async (directory) => {
    const { archive, maps, problems } = await pack(from, { output: join(directory, 'sourcemap.zip') })
    showProblems(problems)
    const { service, version, appid } = question
    const release = { service, version, appid }
    const miniPrograms = archivedMaps(archive ?? '', release, maps)
    return symbolicateApart(question, { ...artifactSourceOf([]), miniPrograms })
  })
}

async function explainScripts(
  { path, prefix, sent }: { path: string; prefix: string; sent: Sent | undefined },
  question: Question,
  afterwards: Afterwards,
): Promise<Explanation> {
  const directory = scriptDirectory(path)
  const { service, version } = question
  const release = { service, version, minifiedPathPrefix: prefix, toolVersion: '' }
  const plan =
    directory === undefined ? { uploads: [], problems: [] } : await collectJavaScript({ directory, ...release })
  const bundles = directory === undefined ? [] : await reactNativeBundles(directory, question)
  const modules = await modulesIn(path, question)
  const needsScripts = bundles.length === 0 && modules.findNative === undefined && parseStack(question.stack).length > 0
  const errors = plan.problems.filter(
    ({ severity, code }) => severity === 'error' && (needsScripts || code !== 'nothing-found'),
  )
  afterwards.push(async () => showProblems(await foreignMaps(plan.uploads, question)))
  const source = { ...artifactSourceOf([...plan.uploads, ...bundles]), ...modules }
  const explanation = await symbolicateApart(question, source)
  const scripts = sent ? await scriptsIn(directory) : []
  const recalled = sent ? await withDeletedMaps(explanation, scripts, sent) : explanation
  // Show problems with the directory only if frames remain unresolved and no deleted map explains them.
  if (recalled === explanation && !explanation.frames.every(isDone))
    showProblems(problemsInProject(errors, directory ?? path, process.cwd()))
  return recalled
}

/**
 * Finds scripts in the stack that do not match their maps. Frames in such scripts are resolved to wrong lines, which cannot be detected
 * from the frames alone.
 */
async function foreignMaps(uploads: readonly SymbolUpload[], { stack }: Question): Promise<Problem[]> {
  const named = new Set(parseStack(stack).map(({ file = '' }) => urlPath(file)))
  const asked = uploads.filter(({ event }) => named.has(urlPath(addressOf(event) ?? '')))
  const { problems } = await prove(asked)
  return problems.filter(({ code }) => code === 'map-stale' || code === 'map-offset')
}

/** Finds bundles by name, because frames from React Native do not contain a deployment address. */
async function reactNativeBundles(directory: string, question: Question): Promise<SymbolUpload[]> {
  const { service, version, stack } = question
  const frames = parseStack(stack).filter(({ file = '' }) => isReactNativeBundle(file))
  if (frames.length === 0) return []
  const files = await listFiles(directory).catch(() => [])
  const bundles = files.filter((file) => isReactNativeBundle(file))
  // Frames such as `pay@1:550` contain no name, so the platform is only assumed.
  const assumed = frames.every(({ raw, file = '' }) => !raw.includes(file)) ? frames[0]?.file : undefined
  const bundleName = bundles.length === 1 ? assumed : undefined
  const plans = bundles.map((bundle) => {
    const release = { buildVersion: '', service, version, toolVersion: '' }
    const sourceMap = mapApart(bundle, files)
    return collectReactNative({ bundle, bundleName, sourceMap, platform: 'android', ...release, cwd: directory })
  })
  const collected = await Promise.all(plans)
  showProblems(collected.flatMap(({ problems }) => problems))
  return ofOneBuild(
    collected.flatMap(({ uploads }) => uploads),
    question,
  )
}

/**
 * Selects the bundles from the build that produced the stack.
 * @throws CommandFailure if several builds contain the bundle and the variant does not identify one of them.
 */
async function ofOneBuild(bundles: readonly SymbolUpload[], { stack, variant }: Question): Promise<SymbolUpload[]> {
  const named = new Set(parseStack(stack).map(({ file = '' }) => fileNameOf(urlPath(file))))
  const asked = bundles.filter((it) => named.has(bundleOf(it).filename))
  const others = bundles.filter((it) => !asked.includes(it))
  const fitting = variant === undefined ? [] : asked.filter((it) => isOf(variant, bundleOf(it).path))
  const chosen = fitting.length > 0 ? fitting : asked
  const fix = t`Pass the directory of one build with --dir <dir>, or select its variant with --variant <name>.`
  if (variant !== undefined && fitting.length === 0 && asked.some((it) => GRADLE_TASK.test(bundleOf(it).path)))
    throw undecided(t`No bundle was found for the variant ${variant}. Available bundles: ${shownBundles(asked)}.`, fix)
  const names = new Set(chosen.map((it) => bundleOf(it).filename))
  if (chosen.length > names.size) {
    const builds = new Map<string, SymbolUpload>()
    // Gradle may keep several copies of a bundle, so the last copy is used.
    for (const it of chosen.toReversed())
      builds.set(`${bundleOf(it).filename} ${await hashFile(bundleOf(it).path)}`, it)
    if (builds.size > names.size)
      throw undecided(t`Found bundles from ${builds.size} builds: ${shownBundles([...builds.values()])}.`, fix)
  }
  return [...chosen, ...others]
}

const bundleOf = ({ parts }: SymbolUpload) => parts[0] as FilePart

const shownBundles = (bundles: readonly SymbolUpload[]) => shownFiles(bundles.map((it) => bundleOf(it).path))

/** Returns whether a path belongs to a variant. Gradle names directories after variants and tasks. */
function isOf(variant: string, path: string): boolean {
  const directories = [...path.split(/[\\/]/), GRADLE_TASK.exec(path)?.[1] ?? '']
  return directories.some((it) => it.toLowerCase() === variant.toLowerCase())
}
