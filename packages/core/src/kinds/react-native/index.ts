import { resolve } from 'node:path'
import { type Problem, problem } from '../../problems/problems.ts'
import { t } from '../../text.ts'
import { defineKind } from '../kind.ts'
import { sourceMapRefusal, textOf } from '../received.ts'
import {
  addressOfBundle,
  BUNDLE_NAMES,
  isReactNativeBundle,
  platformOfBundle,
  REACT_NATIVE_PLATFORMS,
  type ReactNativePlatform,
} from './bundle-names.ts'
import { examineBundles } from './check.ts'
import type { ReactNativeSourceMapEvent } from './event.ts'
import { collectReactNative, type ReactNativeInput } from './react-native.ts'
import { TRAITS } from './traits.ts'

export interface Flags {
  platform?: ReactNativePlatform
  buildVersion?: string
  sourcemap?: string
  packagerMap?: string
  compilerMap?: string
  bundleName?: string
}

export const reactNative = defineKind<ReactNativeSourceMapEvent, ReactNativeInput, Flags>({
  type: 'react_native_sourcemap',
  label: 'React Native source map',
  platform: 'browser',
  event: { required: ['service', 'version', 'platform'] },
  parts: { required: [TRAITS.map], optional: [TRAITS.script] },
  async accept({ event, parts }) {
    const platform = REACT_NATIVE_PLATFORMS.find((it) => it === event.platform)
    const name = textOf(event, 'bundle_name') ?? (platform && BUNDLE_NAMES[platform])
    const found = name === undefined ? undefined : { address: addressOfBundle(name) }
    return (await sourceMapRefusal(parts)) ?? found
  },
  traits: TRAITS,
  collect: collectReactNative,
  check: {
    // A `.js` bundle is checked as plain JavaScript.
    isOne: (file) => isReactNativeBundle(file) && !file.endsWith('.js'),
    belongs: (other) => other.endsWith('.map') && !other.endsWith('sourceMaps.map'),
    examine: examineBundles,
  },
  command: {
    group: { name: 'react-native', description: 'React Native bundles and source maps' },
    argument: '<bundle>',
    takesFile: true,
    argumentDescription: 'deployed bundle, as JavaScript or Hermes bytecode',
    description: 'upload a bundle with its source map, and combine the maps from Metro and Hermes',
    flags: {
      platform: {
        flags: '--platform <name>',
        description: 'platform of the bundle (default: inferred from its name)',
        choices: [...REACT_NATIVE_PLATFORMS],
      },
      buildVersion: {
        flags: '--build-version <n>',
        description: 'versionCode (Android) or CFBundleVersion (iOS) of the app',
      },
      sourcemap: {
        flags: '--sourcemap <file>',
        description: 'source map of the bundle (default: <bundle>.map, otherwise the map that the bundle refers to)',
      },
      packagerMap: {
        flags: '--packager-map <file>',
        description: 'source map from Metro for a Hermes bundle',
      },
      compilerMap: {
        flags: '--compiler-map <file>',
        description: 'source map from the Hermes compiler',
      },
      bundleName: {
        flags: '--bundle-name <name>',
        description: 'bundle name in stacks (default: the file name, or for expo export, the React Native default)',
      },
    },
    examples: [
      'symup react-native upload main.jsbundle --build-version 42 \\',
      '  --service shop --release-version 1.2.3',
      'symup react-native upload index.android.bundle --build-version 42 \\',
      '  --packager-map index.android.bundle.packager.map \\',
      '  --compiler-map index.android.bundle.compiler.map',
    ],
    problems: ({ paths: [bundle], flags }) => problemsOf(bundle, flags),
    input({ paths: [bundle], flags, ...context }) {
      const { buildVersion = '', sourcemap: sourceMap, packagerMap, compilerMap, bundleName } = flags
      const platform = flags.platform ?? platformOf(bundle) ?? 'android'
      return { ...context, bundle, platform, buildVersion, sourceMap, packagerMap, compilerMap, bundleName }
    },
  },
  place: ({ bundle_name, platform, build_version }) => `${bundle_name}, ${platform} (${build_version})`,
  flagsOf: ({ platform, build_version: buildVersion }) => ({ platform, buildVersion }),
})

const platformOf = (bundle: string) => platformOfBundle(resolve(bundle).replaceAll('\\', '/'))

function problemsOf(bundle: string, { platform, buildVersion = '', packagerMap, compilerMap }: Flags): Problem[] {
  const problems: Problem[] = []
  if ((platform ?? platformOf(bundle)) === undefined) {
    const fix = t`Specify the platform with --platform: android, ios or harmony.`
    problems.push(problem('value-invalid', t`The platform of the bundle cannot be inferred from its name.`, { fix }))
  }
  if (buildVersion === '') {
    const fix = t`Pass the build version of the bundle with --build-version <number>.`
    problems.push(
      problem('version-code-missing', t`The build version of the bundle is unknown.`, { fix, severity: 'error' }),
    )
  }
  if ((packagerMap === undefined) !== (compilerMap === undefined)) {
    const fix = t`Pass --packager-map and --compiler-map together.`
    problems.push(problem('map-uncomposed', t`Only one of --packager-map and --compiler-map was passed.`, { fix }))
  }
  return problems
}
