import { readModuleFacts } from '@symup/android'
import { type InferredRelease, KINDS } from '@symup/core'

/**
 * Returns the service and version of a project without a package.json. They are read from `AppScope/app.json5` (HarmonyOS) or from the
 * uploaded variant in `build.gradle` (Android). The result is empty for other projects.
 * @param cwd project directory.
 */
export async function nativeRelease(cwd: string): Promise<InferredRelease> {
  for (const { command } of KINDS) {
    const found = (await command?.inferred?.({ paths: ['.'], flags: {} }, cwd)) ?? {}
    if (found.service || found.version) return found
  }
  const { service, version } = await readModuleFacts({ cwd, anyVariant: true })
  return { ...(service && { service }), ...(version && { version }) }
}
