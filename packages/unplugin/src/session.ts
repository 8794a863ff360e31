import { readFileSync } from 'node:fs'
import {
  type BuildOutput,
  type Collect,
  type Collection,
  collectJavaScript,
  type DeliveryInput,
  endOfBuild,
  type Line,
  openDelivery,
  policyOf,
  problem,
  publishProblems,
  type Verdict,
} from '@symup/core/internal'
import { repeatAtTheEnd } from './last-word.ts'
import { onePerUrl } from './one-per-url.ts'
import type { SymupOptions } from './options.ts'

/** What a bundler's adapter tells about the build, before it runs. */
export interface BuildContext {
  /** `vite`, `webpack`, …; part of the origin that the intake records. */
  bundler: string
  /** Project directory. */
  root: string
  log(line: Line): void
  /** Where the bundler's config says the output is deployed. */
  prefix?: { value: string; from: string } | undefined
}

/** What the build wrote below one output directory. */
export interface BundleOutput extends BuildOutput {
  files: Set<string>
  deletable: Set<string>
  /** Source map of a file where the bundler knows it. */
  mapOf: Map<string, string>
}

const { version: pluginVersion } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** One build with the plugin: its settings, found before the build, and the upload after it. */
export interface Session {
  /** Collects and uploads what was written. @throws SymupError when the options say that the problems fail the build. */
  finish(outputs: readonly BundleOutput[]): Promise<void>
  /** The same for whatever `collect` finds: symbol files of another kind go the same way. @throws as `finish`. */
  deliver(collect: Collect): Promise<void>
}

/**
 * Finds the settings before the build starts, so that an unusable configuration costs no build time.
 * When it is unusable and the options say to go on, and when there is no key outside CI, the end of the build only clears the output and says so.
 * @throws SymupError with every configuration problem at once.
 */
export function openSession(options: SymupOptions, context: BuildContext): Session {
  const { log, root } = context
  const { present, conclude } = endOfBuild(log)
  const publish = ({ problems }: Verdict) =>
    publishProblems(problems, { cwd: root, toolVersion: pluginVersion, print: console.info, warn: log })
  const end = (verdict: Verdict) => {
    conclude(verdict)
    if (verdict.summary.severity === 'warning') repeatAtTheEnd(verdict.summary, log)
  }
  const delivery = openDelivery({ ...deliveryOf(options, context), present: { ...present, record: publish } })
  if (delivery.usable) {
    const deliver = async (collect: Collect) => end(await delivery.finish(collect))
    return { deliver, finish: (outputs) => deliver(collectFrom(outputs.map(cleared), options)) }
  }
  const { verdict } = delivery
  if (verdict.exitCode !== 0) conclude(verdict)
  return {
    deliver: async () => end(verdict),
    async finish(outputs) {
      await delivery.clear(outputs.map(cleared))
      end(verdict)
    },
  }
}

/** No map that may be deleted stays in the output, whatever becomes of the upload. */
function cleared(output: BundleOutput): BundleOutput {
  return { ...output, clears: true }
}

function deliveryOf(options: SymupOptions, { bundler, root, prefix }: BuildContext): Omit<DeliveryInput, 'present'> {
  const failOnFindings = options.failOnFindings ?? options.strict ?? false
  return {
    adapter: { name: bundler, version: pluginVersion },
    settings: {
      options,
      cwd: root,
      ignoreConfigFile: options.ignoreConfigFile ?? false,
      dryRun: options.dryRun ?? false,
      inferredPrefix: prefix,
    },
    policy: { ...policyOf(options.onError), ...(failOnFindings && { 'would-not-resolve': 'fail', leak: 'fail' }) },
    ...(options.onError === 'fail' && { keyRequired: true }),
    mapsMustGo: options.deleteAfterUpload === true,
    strictLeaks: failOnFindings,
    git: options.git !== false,
    send: {
      ledger: true,
      ...(options.concurrency !== undefined && { concurrency: options.concurrency }),
    },
  }
}

function collectFrom(outputs: readonly BundleOutput[], { projectPath = '' }: SymupOptions): Collect {
  return async ({ cwd, ...release }) => {
    const found: Collection = { uploads: [], problems: [], outputs }
    for (const { directory, files, mapOf } of outputs) {
      const part = await collectJavaScript({
        ...release,
        directory,
        files: [...files].sort(),
        mapOf,
        projectPath,
      })
      found.uploads.push(...part.uploads)
      found.problems.push(...part.problems)
    }
    if (found.uploads.length === 0) {
      if (outputs.length === 0) found.problems.push(problem('nothing-found', 'The build wrote no files.'))
      return found
    }
    const { uploads, problems } = await onePerUrl(found.uploads, cwd)
    // One output of several may well hold no script.
    const others = found.problems.filter(({ code }) => code !== 'nothing-found')
    return { uploads, problems: [...others, ...problems], outputs }
  }
}
