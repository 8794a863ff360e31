import { text } from 'node:stream/consumers'
import {
  type CollectContext,
  deliver,
  type Line,
  type Plan,
  packageVersion,
  presentLines,
  problem,
  type Settings,
} from '@symup/core'
import { t, useLocale } from '@symup/core/text'
import { planMapping } from './plan-mapping.ts'
import { planNativeLibraries } from './plan-native.ts'
import type { Request } from './request.ts'

const toolVersion = packageVersion(import.meta.url)

/** @returns the exit code. */
export async function answerRequest(input: NodeJS.ReadableStream, print: (line: Line) => void): Promise<number> {
  useLocale()
  const request = JSON.parse(await text(input)) as Request
  const { build } = request
  const { exitCode } = await deliver(
    {
      adapter: { name: 'android', version: toolVersion },
      settings: {
        options: given(request.settings),
        cwd: request.directory,
        ignoreConfigFile: request.ignoreConfigFile ?? false,
        adapter: 'gradle',
        needsPrefix: false,
        inferredService: inferred(build.applicationId, t`applicationId of the build`),
        inferredVersion: inferred(build.versionName, t`versionName of the build`),
      },
      present: presentLines(print),
      furtherProblems: () =>
        build.versionCode == null ? [problem('version-code-missing', t`No versionCode is set for the build.`)] : [],
      subject: (settings) => subjectOf(request, settings),
    },
    (context) => collect(request, context),
  )
  return exitCode
}

function collect(request: Request, { service, version, allowedRoot }: CollectContext): Promise<Plan> {
  const { versionCode } = request.build
  const facts = {
    service,
    version,
    ...(versionCode != null && { versionCode: Number(versionCode) }),
    variant: request.variant,
    ...(request.buildId != null && { buildId: request.buildId }),
    toolVersion,
  }
  return request.task === 'upload-mapping'
    ? planMapping({ ...request, allowedRoot }, facts)
    : planNativeLibraries(request, facts, allowedRoot)
}

function subjectOf({ task, variant, build }: Request, { service, version }: Settings): string {
  const what = task === 'upload-mapping' ? t`mapping file` : t`native libraries`
  const release = `${service.value} ${version.value}`
  const code = build.versionCode
  return code == null
    ? t`${what} of ${release}, variant ${variant}`
    : t`${what} of ${release} (${code}), variant ${variant}`
}

/** Removes `null` values, which Gradle passes for settings that are not set. */
function given(settings: Request['settings']) {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value ?? undefined]))
}

function inferred(value: string | null | undefined, from: string) {
  return value == null || value === '' ? undefined : { value, from }
}
