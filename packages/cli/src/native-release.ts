import { readModuleFacts } from '@symup/android'
import { type InferredRelease, KINDS } from '@symup/core'

/**
 * Service and version as a build without package.json says them: HarmonyOS's `AppScope/app.json5`, Android's `build.gradle`, of which a variant
 * that uploads is taken. Nothing for other projects.
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
