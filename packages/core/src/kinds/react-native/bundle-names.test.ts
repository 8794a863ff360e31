import { expect, it } from 'vitest'
import { bundleNameOf, isReactNativeBundle, mapApart, platformOfBundle } from './bundle-names.ts'

it.each<[string, string | undefined, boolean]>([
  ['index.android.bundle', 'android', true],
  ['main.jsbundle', 'ios', true],
  ['index.ios.bundle', 'ios', true],
  ['bundle.harmony.js', 'harmony', true],
  ['hermes_bundle.hbc', 'harmony', true],
  ['shop.bundle', undefined, true],
  ['index.bundlejs', undefined, true],
  ['bundle.js', undefined, false],
  ['main.lynx.bundle', undefined, false],
  ['index.hbc', undefined, true],
  ['_expo/static/js/android/index-6afe0774.hbc', 'android', true],
  ['_expo/static/js/ios/index-6afe0774.js', 'ios', true],
  ['_expo/static/js/web/index-6afe0774.js', undefined, false],
  ['androidx.js', undefined, false],
])('maps %s to the platform %s, and detects a bundle: %s', (name, platform, isBundle) => {
  expect(platformOfBundle(name)).toBe(platform)
  expect([name, `a/${name}`].map(isReactNativeBundle)).toEqual([isBundle, isBundle])
})

it.each([
  ['dist/_expo/static/js/android/index-6afe0774.hbc', 'index.android.bundle'],
  ['/app/dist/_expo/static/js/ios/entry-6afe0774.js', 'main.jsbundle'],
  ['dist/_expo/static/js/web/index-6afe0774.js', 'index-6afe0774.js'],
  ['CodePush/shop.jsbundle', 'shop.jsbundle'],
])('maps the device path %s to %s', (path, name) => expect(bundleNameOf(path)).toBe(name))

it.each<[string, string[], string | undefined]>([
  ['a/index.bundle', ['a/index.bundle.map', 'maps/demo/index.bundle.map'], undefined],
  ['a/index.bundle', ['maps/release/index.bundle.map', 'maps/other.bundle.map'], 'maps/release/index.bundle.map'],
  [
    'createBundleDemoReleaseJs/index.bundle',
    ['m/demoRelease/index.bundle.map', 'm/fullRelease/index.bundle.map'],
    'm/demoRelease/index.bundle.map',
  ],
  ['a/index.bundle', ['m/demoRelease/index.bundle.map', 'index.bundle.map'], undefined],
  ['a/index.bundle', [], undefined],
  // The map next to this bundle belongs to another app's bundle.
  ['a/index.bundle', ['a/index.bundle', 'b/index.bundle', 'b/index.bundle.map'], undefined],
  [
    'a/index.bundle',
    ['b/index.bundle', 'b/index.bundle.map', 'maps/release/index.bundle.map'],
    'maps/release/index.bundle.map',
  ],
])('finds the map for %s among %j: %s', (bundle, files, map) => expect(mapApart(bundle, files)).toBe(map))
