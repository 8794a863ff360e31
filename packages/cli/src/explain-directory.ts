import { basename, join } from 'node:path'
import {
  collectDsyms,
  collectFlutter,
  collectJavaScript,
  collectReactNative,
  findUnstrippedLibraries,
  isScript,
  libraryName,
  listFiles,
  openBinary,
  type Problem,
  renderProblems,
  type SymbolUpload,
  t,
  urlPath,
} from '@symup/core/internal'
import {
  archivedMaps,
  artifactSourceOf,
  type Explanation,
  hasNativeFrames,
  isDartStack,
  parseStack,
  symbolicateApart,
} from '@symup/symbolicate'
import type { Question } from './ask-intake.ts'
import { withTemporaryDirectory } from './temporary-directory.ts'
import { printLines } from './terminal.ts'

/** Resolves a stack with the files that a build left in a directory. */
export function explainFromDirectory(directory: string, prefix: string, question: Question): Promise<Explanation> {
  if (question.platform === 'miniprogram') return explainMiniProgram(directory, question)
  if (isDartStack(question.stack)) return explainDart(directory, question)
  if (question.platform === 'ios') return explainApple(directory, question)
  if (isNative(question)) return explainLibraries(directory, question)
  return explainScripts(directory, prefix, question)
}

/**
 * Where the directory is deployed, as the stack tells: its frames name files of the directory, below some path.
 * @returns `/` where no frame names one.
 */
export async function prefixFrom(stack: string, directory: string): Promise<{ value: string; from: string }> {
  const scripts = (await listFiles(directory).catch(() => [])).filter(isScript)
  const votes = new Map<string, number>()
  for (const { file } of parseStack(stack)) {
    if (file === undefined) continue
    const path = urlPath(file)
    const named = scripts.filter((script) => path.endsWith(`/${script}`)).sort((a, b) => b.length - a.length)[0]
    if (named === undefined) continue
    const prefix = path.slice(0, -named.length - 1) || '/'
    votes.set(prefix, (votes.get(prefix) ?? 0) + 1)
  }
  const [value = '/'] = [...votes].sort(([, a], [, b]) => b - a)[0] ?? []
  return { value, from: t`the stack` }
}

/** From its archive, or from the directory that it was built into. */
async function explainMiniProgram(from: string, question: Question): Promise<Explanation> {
  const { pack } = await import('@symup/mini-program')
  return withTemporaryDirectory(async (directory) => {
    const { archive, maps, problems } = await pack(from, { output: join(directory, 'sourcemap.zip') })
    show(problems)
    const { service, version, appid } = question
    const release = { service, version, ...(appid !== undefined && { appid }) }
    const miniPrograms = archivedMaps(archive ?? '', release, maps)
    return symbolicateApart(question, { ...artifactSourceOf([]), miniPrograms })
  })
}

/** With the dSYMs that are there; a frame finds its own by the UUID. */
function explainApple(path: string, question: Question): Promise<Explanation> {
  return withTemporaryDirectory(async (temporaryDirectory) => {
    const plan = await collectDsyms({ paths: [path], temporaryDirectory, pack: false, toolVersion: '' })
    show(plan.problems)
    const images = plan.dsyms.flatMap((dsym) => dsym.images)
    return symbolicateApart(question, {
      ...artifactSourceOf([]),
      async findNative(id) {
        const image = images.find(({ uuid }) => uuid === id)
        if (!image) return undefined
        const { path: file, symbolMap } = image
        return { contentKey: file, file, symbolMap, open: () => openBinary(file) }
      },
      async findNativeNamed(name) {
        const { service, version } = question
        const named = images.filter((image) => basename(image.path) === name)
        return named.flatMap(({ uuid, arch }) => (uuid === undefined ? [] : { id: uuid, service, version, arch }))
      },
    })
  })
}

/** Android and HarmonyOS: frames of native code, which name a library and an address in it. */
function isNative({ platform, stack }: Question): boolean {
  return (platform === 'android' || platform === 'harmony') && hasNativeFrames(stack)
}

/** With the libraries that are there, and what lies beside them (`.dwo`, `.dwp`); a frame finds its own by the build-id, else by the name. */
async function explainLibraries(directory: string, question: Question): Promise<Explanation> {
  const { libraries, problems } = await findUnstrippedLibraries([directory], process.cwd())
  // What is stripped or damaged is said only where a frame stays unresolved for it.
  if (libraries.length === 0) show(problems)
  const { service, version } = question
  return symbolicateApart(question, {
    ...artifactSourceOf([]),
    async findNative(id) {
      const found = libraries.find(({ buildId }) => buildId === id)
      if (!found) return undefined
      const { path } = found
      return { contentKey: path, file: path, builtAt: path, open: () => openBinary(path) }
    },
    async findNativeNamed(name) {
      const named = libraries.filter(({ path }) => libraryName(path) === name)
      return named.map(({ buildId: id, arch }) => ({ id, service, version, arch }))
    },
  })
}

/** With the files that `flutter build --split-debug-info` wrote. */
async function explainDart(directory: string, question: Question): Promise<Explanation> {
  const plan = await collectFlutter({ path: directory, ...question, toolVersion: '' })
  show(plan.problems)
  return symbolicateApart(question, artifactSourceOf(plan.uploads))
}

async function explainScripts(directory: string, prefix: string, question: Question): Promise<Explanation> {
  const bundles = await reactNativeBundles(directory, question)
  const { service, version } = question
  const plan = await collectJavaScript({ directory, service, version, minifiedPathPrefix: prefix, toolVersion: '' })
  show(
    plan.problems.filter(
      ({ severity, code }) => severity === 'error' && !(bundles.length > 0 && code === 'nothing-found'),
    ),
  )
  return symbolicateApart(question, artifactSourceOf([...plan.uploads, ...bundles]))
}

/** Frames of React Native name the bundle, not an address that it is deployed at. */
const NAMES_BUNDLE = /\.(?:js)?bundle:\d/

async function reactNativeBundles(directory: string, { service, version, stack }: Question): Promise<SymbolUpload[]> {
  if (!NAMES_BUNDLE.test(stack)) return []
  const files = await listFiles(directory).catch(() => [])
  const plans = files
    .filter((file) => /\.(?:js)?bundle$/.test(file))
    .map((bundle) => {
      const release = { buildVersion: '', service, version, toolVersion: '' }
      return collectReactNative({ bundle, platform: 'android', ...release, cwd: directory })
    })
  const collected = await Promise.all(plans)
  show(collected.flatMap(({ problems }) => problems))
  return collected.flatMap(({ uploads }) => uploads)
}

function show(problems: readonly Problem[]): void {
  printLines(renderProblems(problems), process.stderr)
}
