import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import {
  addressOf,
  type BuildOutput,
  type Collect,
  type Collection,
  collectJavaScript,
  type DeliveryInput,
  endOfBuild,
  type FilePart,
  type Line,
  openDelivery,
  type Problem,
  packageVersion,
  policyOf,
  problem,
  publishProblems,
  type SymbolUpload,
  shownPath,
  type Verdict,
} from '@symup/core'
import { problemsInProject } from '@symup/core/internal'
import { t } from '@symup/core/text'
import { logProblems } from './bundlers/messages.ts'
import { withLateFiles } from './late-files.ts'
import type { LostMaps } from './lost-maps.ts'
import type { SymupOptions } from './options.ts'
import { type BuildReport, type BundleOutput, deployedPart } from './output.ts'
import { type BuildPrefix, prefixOfFiles, prefixSettings } from './prefix.ts'
import { ReleaseInPages } from './release.ts'
import { besideSettings, placeOfServer, serverProblems } from './server.ts'
import { progressTo } from './terminal.ts'

/**
 * Keeps only one upload per address, because the intake stores only one artifact per address. Identical files are merged. Different files
 * with the same address are reported as a problem, because frames from one of them would resolve to wrong lines. For example, files in the
 * client and server output may have the same name.
 */
async function onePerUrl(
  uploads: readonly SymbolUpload[],
  root: string,
): Promise<{ uploads: SymbolUpload[]; problems: Problem[] }> {
  const first = new Map<string, SymbolUpload>()
  const problems: Problem[] = []
  for (const upload of uploads) {
    const url = addressOf(upload.event) ?? ''
    const taken = first.get(url)
    if (taken === undefined) {
      first.set(url, upload)
      continue
    }
    if (await haveSameBytes(taken.parts, upload.parts)) continue
    const [kept, left] = [taken, upload].map(({ parts }) => shownPath(parts.at(-1)?.path ?? '', root))
    problems.push(
      problem(
        'address-taken',
        t`This file and ${kept} would both be deployed as ${url}, so nothing is uploaded and no source map is deleted.`,
        { file: left },
      ),
    )
  }
  return { uploads: [...first.values()], problems }
}

async function haveSameBytes(some: readonly FilePart[], others: readonly FilePart[]): Promise<boolean> {
  const bytesOf = (parts: readonly FilePart[]) =>
    Promise.all(parts.map(async ({ content, path }) => Buffer.from(content ?? (await readFile(path)))))
  return isDeepStrictEqual(await bytesOf(some), await bytesOf(others))
}

/** The properties of a build that its bundler's adapter knows before the build runs. */
export interface BuildContext {
  /** The bundler's name, such as `vite` or `webpack`, which is part of the origin that the intake records. */
  bundler: string
  root: string
  log(line: Line): void
  /** Returns the bundler's log level. Progress is hidden if the level is quieter than `info`. */
  logLevel?: () => unknown
  lostMaps?: LostMaps
  /**
   * Prints the last line again at the end of the build if the upload is incomplete but the build continues. By default, the line is printed
   * only once.
   */
  repeatAtEnd?(line: string): void
  /** Whether source maps were turned on in the bundler. If so, the bundler's setting is not the cause of missing maps. Default: unknown. */
  makesMaps?: boolean
  prefix?: BuildPrefix | undefined
  /** The release version that the project's own config sets. */
  version?: { value: string; from: string }
}

const pluginVersion = packageVersion(import.meta.url)

export type Session = ReturnType<typeof openSession>

/**
 * Opens a session for one build. The settings are resolved before the build, so that an unusable configuration is detected early. If the
 * build continues despite an unusable configuration or a missing key, the plugin removes the maps from the output and reports the problem
 * at the end of the build.
 * @throws SymupError with all configuration problems at once.
 */
export function openSession(options: SymupOptions, context: BuildContext) {
  const { log, root } = context
  const { present, conclude } = endOfBuild(log)
  const publish = ({ problems }: Verdict) =>
    publishProblems(problems, { cwd: root, toolVersion: pluginVersion, print: console.info, warn: log })
  const delivery = openDelivery({
    ...deliveryOf(options, context),
    present: { ...present, ...progressTo(options, context.logLevel), record: publish },
  })
  if (delivery.verdict && delivery.verdict.exitCode !== 0) conclude(delivery.verdict)
  const pages = new ReleaseInPages(options, delivery.settings)
  const deliver = async (collect: Collect, outputs: readonly BuildOutput[] = []) => {
    logProblems(log, pages.problems())
    const verdict = await delivery.finish(collect, outputs)
    await options.onVerdict?.(verdict)
    conclude(verdict)
    if (delivery.usable && verdict.summary.severity === 'warning') context.repeatAtEnd?.(verdict.summary.text)
  }
  return {
    /**
     * Uploads the artifacts that `collect` returns, such as other kinds of symbol files.
     * @throws the same errors as `finish`.
     */
    deliver: (collect: Collect) => deliver(collect),
    /**
     * Collects and uploads a build's output.
     * @throws SymupError if the problems fail the build.
     */
    async finish({ outputs }: BuildReport) {
      const all = await Promise.all(outputs.map(withLateFiles))
      await deliver(collectFrom(all, options, context), shippedOf(all))
    },
    /**
     * Records the files that the build has written so far. If the process ends before `finish`, the source maps among them are deleted so
     * that they are not deployed. The process listeners stay until `finish` or `abandon` is called.
     */
    wrote: (outputs: readonly BundleOutput[]) => delivery.watch(shippedOf(outputs)),
    abandon: () => delivery.unwatch(),
    page: (html: string) => pages.page(html),
  }
}

/** Returns the deployed part of the outputs. Maps in this part are always removed, even if the upload fails. */
function shippedOf(outputs: readonly BundleOutput[]): BuildOutput[] {
  return outputs.filter(ships).map((output) => ({ ...deployedPart(output), clears: true }))
}

const FINDINGS_FAIL = {
  'nothing-found': 'fail',
  'invalid-artifact': 'fail',
  'would-not-resolve': 'fail',
  leak: 'fail',
} as const

function deliveryOf(
  options: SymupOptions,
  { bundler, root, prefix, version, lostMaps }: BuildContext,
): Omit<DeliveryInput, 'present'> {
  const { attempts, concurrency } = options
  const server = serverProblems(options)
  const failOnFindings = options.failOnFindings ?? options.strict ?? false
  return {
    adapter: { name: bundler, version: pluginVersion },
    settings: {
      ...prefixSettings(options, prefix),
      cwd: root,
      ...(version && { inferredVersion: version }),
      ignoreConfigFile: options.ignoreConfigFile ?? false,
      dryRun: options.dryRun ?? false,
    },
    ...(server.length > 0 && { furtherProblems: () => server }),
    policy: { ...policyOf(options.onError), ...(failOnFindings && FINDINGS_FAIL) },
    ...(options.onError === 'fail' && { keyRequired: true }),
    later: options.upload === 'later',
    mapsMustGo: options.deleteAfterUpload === true,
    strictFindings: failOnFindings,
    ...(lostMaps && { transformFaults: () => lostMaps.faults }),
    git: options.git !== false,
    send: {
      ledger: true,
      ...(concurrency !== undefined && { concurrency }),
      ...(attempts !== undefined && { attempts }),
    },
  }
}

function collectFrom(
  outputs: readonly BundleOutput[],
  options: SymupOptions,
  { prefix, makesMaps = false }: BuildContext,
): Collect {
  const { projectPath = '' } = options
  return async ({ cwd, settings, ...release }) => {
    const found: Collection = { uploads: [], problems: [], outputs: shippedOf(outputs) }
    const servers = new Set<string>()
    for (const output of outputs) {
      const { directory, files, maps, deletable, copied, contents, isListed, target } = output
      const place = target === 'server' ? placeOfServer(options, directory) : undefined
      const part = await collectJavaScript({
        ...release,
        minifiedPathPrefix: prefixOfFiles(options, prefix, { settings, output, cwd }),
        ...place,
        directory,
        files: [...files].sort(),
        mapOf: maps,
        contents: contents ?? output.recovered,
        projectPath,
        ...(makesMaps && {
          withoutMaps: t`Also turn on source maps in plugins that change scripts after bundling. For webpack-obfuscator, set sourceMap: true in its options.`,
        }),
      })
      found.uploads.push(...part.uploads)
      const server = place && part.uploads.length > 0 ? besideSettings(place, settings) : undefined
      if (server !== undefined) servers.add(server)
      const reported = part.problems.flatMap((one) => {
        const { code, file = '' } = one
        if (code === 'no-map' && copied.has(file)) return ofPlugin(file)
        if (code !== 'map-orphan' || !deletable.has(file)) return one
        // Some frameworks generate maps for scripts that they discard later, so these maps are not reported.
        return isListed ? ofPage(file) : []
      })
      // Report paths relative to the project, because another output may contain a file with the same name.
      found.problems.push(...problemsInProject(reported, directory, cwd))
    }
    found.details = [...servers].map((text) => ({ severity: 'info', text }))
    if (found.uploads.length === 0) {
      if (outputs.length === 0) found.problems.push(problem('nothing-found', t`The build did not write any files.`))
      return found
    }
    const { uploads, problems } = await onePerUrl(found.uploads, cwd)
    // If two files have the same address, frames cannot be attributed to either file. Nothing is uploaded or removed until the conflict is
    // resolved.
    if (problems.length > 0) return { uploads: [], problems, outputs: (found.outputs ?? []).map(untouched) }
    // If a build has several outputs, one of them may contain no scripts, which is not a problem.
    return { ...found, uploads, problems: found.problems.filter(({ code }) => code !== 'nothing-found') }
  }
}

function untouched(output: BuildOutput): BuildOutput {
  return { ...output, deletable: new Set(), clears: false }
}

/** Returns the problem for a script without a map that the bundler did not build. */
function ofPlugin(file: string): Problem {
  const fix = t`If you do not build this script yourself, ignore this message. Otherwise, build the script with a source map and with the symup plugin.`
  return problem(
    'no-map',
    t`A plugin or another build step wrote or copied this script without providing a source map.`,
    {
      file,
      severity: 'info',
      fix,
    },
  )
}

/**
 * Returns the problem for a script that a plugin removed from the output. Often the script's code is now inside a page, where it cannot
 * have a map.
 */
function ofPage(file: string): Problem {
  const fix = t`If stacks from this script must be resolved, keep the script as a separate file. Otherwise, ignore this message.`
  return problem(
    'map-orphan',
    t`The script was not uploaded because it was removed or inlined into a page or another script (as an inline worker).`,
    { file, fix },
  )
}

/** Tests whether an output is deployed to browsers. Server output may keep its maps, because it is not public. */
function ships({ target, deletable }: BundleOutput): boolean {
  return target === 'browser' || deletable.size > 0
}
