import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type FileEnds, readEnds } from '../../files/file-ends.ts'
import { readRegular } from '../../files/open-regular.ts'
import { Roots } from '../../files/roots.ts'
import { compilerMapFlaw, composeHermesMaps, hermesMapFlaw, isHermesBytecode } from '../../formats/hermes/hermes-map.ts'
import { sourceMapFlaw } from '../../formats/source-map/source-map-sanity.ts'
import { readTrailingComments } from '../../formats/source-map/source-mapping-url.ts'
import type { FilePart, Plan } from '../../model/plan.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { unreadable } from '../../problems/unreadable.ts'
import { t } from '../../text.ts'
import { type PlaceInput, type ReleaseInput, releaseFields } from '../kind.ts'
import { fileOutside } from '../list-within.ts'
import { bundleNameOf, type ReactNativePlatform } from './bundle-names.ts'
import type { ReactNativeSourceMapEvent } from './event.ts'
import { TRAITS } from './traits.ts'

export interface ReactNativeInput extends ReleaseInput, PlaceInput {
  /** The path of the deployed bundle, which is JavaScript or Hermes bytecode. */
  bundle: string
  /**
   * The path of the source map. For Hermes bundles, this is the composed map.
   * @default a map composed from both halves if they are given, otherwise `<bundle>.map`. If that file does not exist, symup uses the map
   * that the bundle references, or halves with React Native's standard names.
   */
  sourceMap?: string
  /** The half of a Hermes map that Metro wrote. symup combines it with `compilerMap`. */
  packagerMap?: string
  /** The half of a Hermes map that the Hermes compiler wrote. symup combines it with `packagerMap`. */
  compilerMap?: string
  platform: ReactNativePlatform
  /** The `versionCode` or the `CFBundleVersion`. */
  buildVersion: string
  /**
   * The name of the bundle in stacks.
   * @default the file name, or the platform's standard name for output of `expo export`
   */
  bundleName?: string
}

const SNIFFED_BYTES = 1024
/** The maximum size of a map to parse. The largest apps have maps of about 100 MB. */
const MAX_MAP_BYTES = 512 * 1024 * 1024

/**
 * Plans the upload of one React Native bundle. For Hermes bytecode, the map must point from the bytecode to the sources. Otherwise, no
 * frame would resolve.
 */
export async function collectReactNative(input: ReactNativeInput): Promise<Plan> {
  const cwd = input.cwd ?? '.'
  const problems: Problem[] = []
  const open = async (file: string): Promise<FileEnds | undefined> => {
    try {
      const ends = readEnds(resolve(cwd, file), SNIFFED_BYTES, SNIFFED_BYTES)
      if (ends.bytes > 0) return ends
      problems.push(problem('file-empty', t`The file is empty.`, { file }))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const isGuess = file === `${input.bundle}.map` && input.sourceMap === undefined && code === 'ENOENT'
      const fix = t`Pass the source map with --sourcemap. Gradle writes the map to generated/sourcemaps/react.`
      problems.push(unreadable('file-unreadable', error, { file, ...(isGuess && { fix }) }))
    }
    return undefined
  }
  const bundle = await open(input.bundle)
  if (bundle && sourceMapFlaw(bundle.head, bundle.tail) === undefined) {
    const fix = t`Pass the bundle, and pass its source map with --sourcemap.`
    problems.push(problem('nothing-found', t`The file is a source map, not a bundle.`, { file: input.bundle, fix }))
    return { uploads: [], problems }
  }
  const map = bundle && (await mapPart(input, cwd, isHermesBytecode(bundle.head), open, problems))
  if (!bundle || !map) return { uploads: [], problems }
  const name = input.bundleName ?? bundleNameOf(resolve(cwd, input.bundle).replaceAll('\\', '/'))
  const parts: FilePart[] = [
    { name: TRAITS.script, filename: name, path: resolve(cwd, input.bundle), bytes: bundle.bytes },
    { ...map, filename: `${name}.map` },
  ]
  return { uploads: [{ event: eventFor(input, name), parts }], problems }
}

type Open = (file: string) => Promise<FileEnds | undefined>

async function mapPart(
  input: ReactNativeInput,
  cwd: string,
  isHermes: boolean,
  open: Open,
  problems: Problem[],
): Promise<Omit<FilePart, 'filename'> | undefined> {
  const { packagerMap, compilerMap } = isHermes ? halvesOf(input, cwd) : input
  const part = { name: TRAITS.map }
  if (packagerMap !== undefined && compilerMap !== undefined && input.sourceMap === undefined) {
    const halves = [await usableMap(packagerMap, open, problems), await usableMap(compilerMap, open, problems)]
    if (halves.includes(false)) return undefined
    const file = packagerMap
    try {
      const compiler = read(cwd, compilerMap)
      const flaw = compilerMapFlaw(compiler)
      if (flaw !== undefined) {
        problems.push(problem('map-uncomposed', flaw, { file: compilerMap }))
        return undefined
      }
      const content = await composeHermesMaps(read(cwd, packagerMap), compiler)
      return { ...part, path: resolve(cwd, `${input.bundle}.map`), bytes: content.length, content }
    } catch (error) {
      const message = t`The two source maps cannot be composed: ${(error as Error).message.slice(0, 200)}.`
      problems.push(problem('map-invalid', message, { file }))
      return undefined
    }
  }
  const file = input.sourceMap ?? mapOf(input.bundle, cwd, isHermes)
  if (!(await usableMap(file, open, problems))) return undefined
  const path = resolve(cwd, file)
  if (input.sourceMap === undefined && !new Roots([dirname(path), input.allowedRoot]).hold(path)) {
    problems.push(fileOutside(file))
    return undefined
  }
  const { size: bytes } = statSync(path)
  if (isHermes && bytes <= MAX_MAP_BYTES) {
    const flaw = hermesMapFlaw(read(cwd, file), basename(input.bundle))
    if (flaw !== undefined) {
      problems.push(problem('map-uncomposed', flaw, { file }))
      return undefined
    }
  }
  return { ...part, path, bytes }
}

/**
 * Returns the specified halves of a Hermes map. If the bundle has no map, halves with standard names are used. A half may be a link to a
 * file in the same directory.
 */
function halvesOf(input: ReactNativeInput, cwd: string): Pick<ReactNativeInput, 'packagerMap' | 'compilerMap'> {
  const { bundle, sourceMap, packagerMap, compilerMap, allowedRoot } = input
  if ((sourceMap ?? packagerMap ?? compilerMap) !== undefined || existsSync(resolve(cwd, `${bundle}.map`))) return input
  const halves = { packagerMap: `${bundle}.packager.map`, compilerMap: `${bundle}.compiler.map` }
  const roots = new Roots([dirname(resolve(cwd, bundle)), allowedRoot])
  const areThere = Object.values(halves).every(
    (half) => existsSync(resolve(cwd, half)) && roots.hold(resolve(cwd, half)),
  )
  return areThere ? halves : input
}

/** Finds the map of a bundle. Metro writes only the file name of the map at the end of the bundle. */
function mapOf(bundle: string, cwd: string, isHermes: boolean): string {
  const beside = `${bundle}.map`
  if (isHermes || existsSync(resolve(cwd, beside))) return beside
  const { sourceMappingUrl: name = '' } = readTrailingComments(resolve(cwd, bundle))
  const named = join(dirname(bundle), name)
  const isThere = /^[^/\\:]+$/.test(name) && statSync(resolve(cwd, named), { throwIfNoEntry: false })?.isFile()
  return isThere ? named : beside
}

async function usableMap(file: string, open: Open, problems: Problem[]): Promise<boolean> {
  const ends = await open(file)
  if (!ends) return false
  const flaw = sourceMapFlaw(ends.head, ends.tail)
  if (flaw !== undefined) problems.push(problem('map-invalid', flaw, { file }))
  return flaw === undefined
}

function read(cwd: string, file: string): string {
  return readRegular(resolve(cwd, file)).toString('utf8')
}

function eventFor(input: ReactNativeInput, name: string): ReactNativeSourceMapEvent {
  return {
    type: 'react_native_sourcemap',
    ...releaseFields(input),
    platform: input.platform,
    build_version: input.buildVersion,
    bundle_name: name,
  }
}
