import { readModuleFacts } from '@symup/android'
import { type InferredRelease, KINDS } from '@symup/core'

/**
 * Without a package.json, the service and version come from HarmonyOS's `AppScope/app.json5`, or from the uploading variant in Android's
 * `build.gradle`. Empty for other projects.
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
