import { readFileSync } from 'node:fs'
import {
  collectArkTs,
  describeSettings,
  exitCodeOf,
  type Line,
  type Plan,
  type Problem,
  problem,
  renderProblems,
  renderReport,
  resolveSettings,
  upload,
} from '@symup/core'
import manifest from '../package.json' with { type: 'json' }
import type { UploadRequest } from './request.ts'

const adapter = { name: 'hvigor', version: manifest.version }

function print({ severity, text }: Line): void {
  process.stdout.write(`${severity}\t${text}\n`)
}

/** Uploads what one target of a module left. @returns whether the build is to go on. */
async function run(request: UploadRequest): Promise<boolean> {
  const { options, directory, versionName } = request
  const { onError, ...given } = options
  const resolution = resolveSettings({
    options: given,
    cwd: directory,
    ignoreConfigFile: request.ignoreConfigFile,
    needsPrefix: false,
    inferredVersion: versionName === undefined ? undefined : { value: versionName, from: 'versionName of the app' },
  })
  if (!resolution.ok) {
    renderProblems(resolution.problems).forEach(print)
    print({ severity: 'error', text: 'Nothing was uploaded: the configuration is unusable.' })
    return onError === 'warn'
  }
  const { settings } = resolution
  for (const text of describeSettings(settings)) print({ severity: 'info', text })
  const collected = await collectArkTs({
    paths: [directory],
    mode: request.mode,
    target: request.target,
    ...(request.product !== undefined && { product: request.product }),
    ...(request.buildDirectory !== undefined && { buildDirectory: request.buildDirectory }),
    service: settings.service.value,
    version: settings.version.value,
    toolVersion: manifest.version,
    cwd: directory,
  })
  const problems = [...resolution.problems, ...differing(settings.version.value, versionName), ...collected.problems]
  const plan: Plan = { uploads: collected.uploads, problems }
  const report = await upload(plan, settings, { adapter, cwd: directory })
  renderReport(report).forEach(print)
  if (exitCodeOf(report) === 0 || onError === 'warn') return true
  const isKeyRefused = report.outcomes.some(
    ({ problem: found }) => found?.code === 'unauthorized' || found?.code === 'forbidden',
  )
  return onError !== 'fail' && !isKeyRefused
}

function differing(version: string, versionName: string | undefined): Problem[] {
  if (versionName === undefined || version === versionName) return []
  const message = `The upload is for version ${version}, but the app's versionName is ${versionName}.`
  return [problem('version-differs', message)]
}

run(JSON.parse(readFileSync(0, 'utf8')) as UploadRequest).then((goesOn) => {
  process.exitCode = goesOn ? 0 : 1
})
