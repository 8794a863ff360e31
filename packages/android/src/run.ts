import { text } from 'node:stream/consumers'
import {
  describeSettings,
  EXIT,
  exitCodeOf,
  type Line,
  type Plan,
  renderProblems,
  renderReport,
  resolveSettings,
  type Settings,
  upload,
} from '@symup/core'
import { planMapping } from './plan-mapping.ts'
import { planNativeLibraries } from './plan-native.ts'
import type { Request } from './request.ts'
import { toolVersion } from './tool-version.ts'

/** Answers one request of a Gradle task: finds the settings, collects, uploads, and says what became of it. @returns the exit code. */
export async function answerRequest(input: NodeJS.ReadableStream, print: (line: Line) => void): Promise<number> {
  const request = JSON.parse(await text(input)) as Request
  const resolution = resolveSettings({
    options: given(request.settings),
    cwd: request.directory,
    ignoreConfigFile: request.ignoreConfigFile ?? false,
    naming: 'gradle',
    needsPrefix: false,
    inferredService: inferred(request.build.applicationId, 'applicationId of the build'),
    inferredVersion: inferred(request.build.versionName, 'versionName of the build'),
  })
  const printAll = (lines: Line[]) => lines.forEach(print)
  if (!resolution.ok) {
    printAll(renderProblems(resolution.problems))
    print({ severity: 'error', text: 'Nothing was uploaded: the configuration is unusable.' })
    return EXIT.unusable
  }
  const { settings } = resolution
  for (const line of describeSettings(settings)) print({ severity: 'info', text: line })
  const collected = await collect(request, settings)
  const plan: Plan = { uploads: collected.uploads, problems: [...resolution.problems, ...collected.problems] }
  const report = await upload(plan, settings, {
    adapter: { name: 'android', version: toolVersion },
    cwd: request.directory,
  })
  const lines = renderReport(report)
  const exitCode = exitCodeOf(report)
  const last = lines.pop() as Line
  printAll(lines)
  // The last line that the task leaves names what was, or should have been, sent.
  print({ ...last, text: `${last.text} (${whatOf(request, settings)})` })
  return exitCode
}

function collect(request: Request, settings: Settings): Promise<Plan> {
  const common = {
    service: settings.service.value,
    version: settings.version.value,
    versionCode: Number(request.build.versionCode ?? 1),
    variant: request.variant,
    ...(request.buildId != null && { buildId: request.buildId }),
    toolVersion,
  }
  return request.task === 'upload-mapping' ? planMapping(request, common) : planNativeLibraries(request, common)
}

function whatOf({ task, variant, build }: Request, { service, version }: Settings): string {
  const what = task === 'upload-mapping' ? 'mapping file' : 'native libraries'
  return `${what} of ${service.value} ${version.value} (${build.versionCode ?? 1}), variant ${variant}`
}

/** Gradle's `null` is symup's "not given". */
function given(settings: Request['settings']) {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value ?? undefined]))
}

function inferred(value: string | null | undefined, from: string) {
  return value == null || value === '' ? undefined : { value, from }
}
