import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { variantOfMappingPath } from '@symup/android'
import {
  collectArkTs,
  collectDsyms,
  collectFlutter,
  collectJvmMapping,
  hashFile,
  listFiles,
  type Problem,
  type SymbolUpload,
  shownPath,
} from '@symup/core'
import {
  breakpadModule,
  findUnstrippedLibraries,
  holdsLibraries,
  isAppBundle,
  libraryName,
  readMappingFacts,
  unpackBundle,
  withTemporaryDirectory,
} from '@symup/core/internal'
import { openBinary } from '@symup/core/resolving'
import { t } from '@symup/core/text'
import { type ArtifactSource, artifactSourceOf, type Explanation } from '@symup/symbolicate'
import { hasNativeFrames, hasOnlyNativeFrames, parseStack, symbolicateApart } from '@symup/symbolicate/internal'
import type { Question } from './ask-intake.ts'
import { shownFiles, undecided, unexplained } from './explain-failure.ts'
import { showProblems } from './terminal.ts'

export function explainApple(path: string, question: Question): Promise<Explanation> {
  return withTemporaryDirectory(async (temporaryDirectory) => {
    const plan = await collectDsyms({ paths: [path], temporaryDirectory, pack: false, toolVersion: '' })
    showProblems(plan.problems)
    const files = plan.dsyms
      .flatMap(({ images }) => images)
      .map(({ uuid: id, path: file, arch, symbolMap }) => ({ id, name: basename(file), file, arch, symbolMap }))
    return symbolicateApart(question, { ...artifactSourceOf([]), ...nativeSource(files, question) })
  })
}

export async function explainDart(directory: string, question: Question): Promise<Explanation> {
  const plan = await collectFlutter({ path: directory, ...question, toolVersion: '' })
  showProblems(plan.problems)
  return symbolicateApart(question, artifactSourceOf(plan.uploads))
}

/**
 * Explains a stack from an Android or HarmonyOS app. Native frames are resolved with libraries, and all other frames with the R8 or
 * ProGuard mapping or with the source maps of all modules.
 * @param path a build output, a single file or an archive.
 */
export function explainMobile(path: string, question: Question): Promise<Explanation> {
  const mapsIn = question.platform === 'android' ? mappingsIn : arktsMapsIn
  return withTemporaryDirectory(async (directory) => {
    const { stack } = question
    const uploads = hasOnlyNativeFrames(stack) ? [] : await mapsIn(path, directory, question)
    const dart = stack.includes('libapp.so')
      ? (await collectFlutter({ path, ...question, toolVersion: '' })).uploads
      : []
    const libraries = hasNativeFrames(stack) ? await librariesIn(path, directory, question, dart.length > 0) : {}
    return symbolicateApart(question, { ...artifactSourceOf([...uploads, ...dart]), ...libraries })
  })
}

/** @throws CommandFailure if several builds contain a mapping, and neither the flags nor the stack identifies the right one. */
async function mappingsIn(path: string, directory: string, question: Question): Promise<SymbolUpload[]> {
  const { service, version, variant, stack } = question
  const found = new Map<string, { file: string; upload: SymbolUpload }>()
  const files = await filesIn(path, isMapping)
  const asked = files.filter((file) => variantOf(file) === variant)
  for (const [nth, file] of (asked.length > 0 ? asked : files).entries()) {
    const unpacked = isAppBundle(file) ? join(directory, `mapping-${nth}`) : undefined
    const flaw = unpacked && (await unpackBundle(file, unpacked, 'mapping', shownPath(file, process.cwd())))
    if (flaw) showProblems([flaw])
    if (flaw) continue
    const mapping = unpacked === undefined ? file : join(unpacked, 'mapping.txt')
    const release = { service, version, variant: variantOf(file), toolVersion: '' }
    const { uploads, problems } = await collectJvmMapping({ file: mapping, ...release })
    showProblems(problems)
    // Gradle may keep identical copies of a mapping, which count as one.
    const key = uploads.length === 0 ? '' : await contentOf(mapping)
    for (const upload of uploads) if (!found.has(key)) found.set(key, { file, upload })
  }
  const mappings = [...found.values()]
  const isNamed = mappings.length < 2 || variant !== undefined || stack.includes('r8-map-id-')
  if (!isNamed) {
    const files = shownFiles(mappings.map(({ file }) => file))
    const message = t`Found mapping files from ${mappings.length} builds: ${files}.`
    throw undecided(message, t`Select a mapping file with --mapping <file> or --variant <name>.`)
  }
  return mappings.map(({ upload }) => upload)
}

const isMapping = (file: string, isAlone: boolean): boolean =>
  isAlone || isAppBundle(file) || /^mapping[^/]*\.txt$/.test(basename(file))

/** Returns the variant from the path. If the file was copied out of Gradle's directories, the name of the parent directory is used. */
const variantOf = (file: string): string => variantOfMappingPath(file) ?? basename(dirname(file))

/** Returns a key that is the same for identical mappings. R8 writes a hash of the mapping into the file. */
async function contentOf(mapping: string): Promise<string> {
  return (await readMappingFacts(mapping)).pgMapId ?? hashFile(mapping)
}

/** @throws CommandFailure if two products have different maps, because a stack does not identify its product. */
async function arktsMapsIn(path: string, temporaryDirectory: string, question: Question): Promise<SymbolUpload[]> {
  const { service, version } = question
  const input = { service, version, toolVersion: '', temporaryDirectory }
  let plan = await collectArkTs({ ...input, paths: [path] })
  const differing = plan.problems.filter(({ code, severity }) => code === 'arkts-maps-differ' && severity === 'error')
  if (differing.length > 0) {
    const fix = t`Pass the directory of the product with --dir <module>/build/<product>, or pass its source maps with --source-maps <file>.`
    throw unexplained(differing.map((it) => ({ ...it, fix })))
  }
  if (plan.uploads.length === 0) {
    // If the path is not a project, it may contain maps that were copied from one.
    const paths = await filesIn(path, (file) => /(?:^|[/-])sourceMaps\.map$/.test(file))
    if (paths.length > 0) plan = await collectArkTs({ ...input, paths })
  }
  showProblems(plan.problems.filter(({ severity }) => severity === 'error'))
  return plan.uploads
}

/**
 * Finds libraries by build id, or by name if a frame has no build id. Also uses companion files (`.dwo`, `.dwp`).
 * @param isOptional whether the native symbols may also come from other files.
 */
async function librariesIn(
  path: string,
  directory: string,
  question: Question,
  isOptional: boolean,
): Promise<Partial<ArtifactSource>> {
  const places = holdsLibraries(path) ? [] : [path]
  const archives = await filesIn(path, (file, isAlone) => (isAlone ? holdsLibraries(file) : isSymbolArchive(file)))
  for (const [nth, archive] of archives.entries()) {
    const unpacked = join(directory, `libraries-${nth}`)
    const flaw = await unpackBundle(archive, unpacked, 'libraries', shownPath(archive, process.cwd()))
    if (flaw) showProblems([flaw])
    else places.push(unpacked)
  }
  const { libraries, problems } = await librariesBelow(places)
  // Show problems with stripped or damaged libraries only if they are the reason why a frame is unresolved.
  if (places.length > 0 && !isOptional && libraries.length === 0) showProblems(problems)
  return nativeSource(libraries, question)
}

interface NativeFile {
  id: string | undefined
  name: string
  file: string
  arch?: string | undefined
  /** The BCSymbolMap of a dSYM. */
  symbolMap?: string | undefined
  /** The place of a library, next to which its companion files are. */
  builtAt?: string
}

async function librariesBelow(places: readonly string[]): Promise<{ libraries: NativeFile[]; problems: Problem[] }> {
  const { libraries, problems } = await findUnstrippedLibraries(places, process.cwd())
  const files = libraries.map(({ buildId: id, path: file, arch }) => {
    return { id, name: libraryName(file), file, arch, builtAt: file }
  })
  return { libraries: files, problems }
}

type NativeSource = Required<Pick<ArtifactSource, 'findNative' | 'findNativeNamed'>>

function nativeSource(files: readonly NativeFile[], { service, version }: Question): NativeSource {
  return {
    async findNative(id) {
      const found = files.find((it) => it.id === id)
      if (!found) return undefined
      const { file, symbolMap, builtAt } = found
      return { contentKey: file, file, symbolMap, builtAt, open: () => openBinary(file) }
    },
    async findNativeNamed(name) {
      const named = files.filter((it) => it.name === name)
      return named.flatMap(({ id, arch }) => (id === undefined ? [] : { id, service, version, arch }))
    },
  }
}

/**
 * Finds WebAssembly modules by name, and Breakpad symbols by module id and name, for JavaScript stacks and minidumps. If the stack has no
 * JavaScript frames, libraries are also searched, because the stack may be a sanitizer report.
 */
export async function modulesIn(directory: string, question: Question): Promise<Partial<NativeSource>> {
  const modules: NativeFile[] = []
  for (const file of await filesIn(directory, (each) => /\.(?:wasm|sym)$/.test(each))) {
    const name = basename(file)
    if (name.endsWith('.wasm')) modules.push({ id: file, name, file })
    else {
      const module = await breakpadModule(file)
      if (module) modules.push({ ...module, file })
    }
  }
  if (parseStack(question.stack).length === 0) modules.push(...(await librariesBelow([directory])).libraries)
  else if (modules.length === 0) return {}
  return nativeSource(modules, question)
}

/** Returns whether a file is Gradle's archive of native symbols. Other archives in a directory are not searched. */
const isSymbolArchive = (file: string): boolean => basename(file) === 'native-debug-symbols.zip'

/**
 * @param isWanted selects files. `isAlone` is true if the path is a single file.
 * @returns absolute paths.
 */
async function filesIn(path: string, isWanted: (file: string, isAlone: boolean) => boolean): Promise<string[]> {
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return isWanted(path, true) ? [path] : []
  const files = await listFiles(path).catch(() => [])
  return files.filter((file) => isWanted(file, false)).map((file) => join(path, file))
}
