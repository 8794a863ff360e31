import { basename } from 'node:path'
import { collectReactNative, type Problem, problem } from '@symup/core'
import type { UploadFlags } from '../flags.ts'
import { runUpload } from '../uploading.ts'

export interface ReactNativeUploadFlags extends UploadFlags {
  platform?: 'android' | 'ios'
  buildVersion?: string
  sourcemap?: string
  packagerMap?: string
  compilerMap?: string
  bundleName?: string
}

/** `symup react-native upload <bundle>`; returns the exit code. */
export function uploadReactNative(bundle: string, flags: ReactNativeUploadFlags, toolVersion: string): Promise<number> {
  const platform = flags.platform ?? platformOfBundle(bundle)
  const { buildVersion = '', sourcemap, packagerMap, compilerMap, bundleName } = flags
  return runUpload({
    flags,
    toolVersion,
    needsPrefix: false,
    furtherProblems: () => furtherProblems(platform, buildVersion, { packagerMap, compilerMap }),
    collect: ({ service, version }, cwd) =>
      collectReactNative({
        bundle,
        platform: platform ?? 'android',
        buildVersion,
        ...(sourcemap !== undefined && { sourceMap: sourcemap }),
        ...(packagerMap !== undefined && { packagerMap }),
        ...(compilerMap !== undefined && { compilerMap }),
        ...(bundleName !== undefined && { bundleName }),
        service: service.value,
        version: version.value,
        toolVersion,
        cwd,
      }),
  })
}

/** As React Native's build scripts name bundles. */
function platformOfBundle(bundle: string): 'android' | 'ios' | undefined {
  const name = basename(bundle)
  if (/\bandroid\b/.test(name)) return 'android'
  return /\bios\b|\.jsbundle$/.test(name) ? 'ios' : undefined
}

function furtherProblems(
  platform: string | undefined,
  buildVersion: string,
  { packagerMap, compilerMap }: Pick<ReactNativeUploadFlags, 'packagerMap' | 'compilerMap'>,
): Problem[] {
  const problems: Problem[] = []
  if (platform === undefined) {
    const fix = 'Say it: --platform android or --platform ios.'
    problems.push(problem('value-invalid', 'The name of the bundle does not tell which platform it is for.', { fix }))
  }
  if (buildVersion === '') {
    const fix = 'Give it: --build-version 42.'
    problems.push(problem('version-code-missing', 'The build version of the bundle is not known.', { fix }))
  }
  if ((packagerMap === undefined) !== (compilerMap === undefined)) {
    const fix = 'Give --packager-map and --compiler-map together.'
    problems.push(problem('map-uncomposed', 'Only one half of the source map is given.', { fix }))
  }
  return problems
}
