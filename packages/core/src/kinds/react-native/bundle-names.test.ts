import { expect, it } from 'vitest'
import { isReactNativeBundle, mapApart, platformOfBundle } from './bundle-names.ts'

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
  ['my_hermes_bundle.hbc', undefined, false],
  ['androidx.js', undefined, false],
])('%s is of %s, a bundle: %s', (name, platform, isBundle) => {
  expect(platformOfBundle(name)).toBe(platform)
  expect([name, `a/${name}`].map(isReactNativeBundle)).toEqual([isBundle, isBundle])
})

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
  // The map of another app's bundle, beside that.
  ['a/index.bundle', ['a/index.bundle', 'b/index.bundle', 'b/index.bundle.map'], undefined],
  [
    'a/index.bundle',
    ['b/index.bundle', 'b/index.bundle.map', 'maps/release/index.bundle.map'],
    'maps/release/index.bundle.map',
  ],
])('the map of %s among %j is %s', (bundle, files, map) => expect(mapApart(bundle, files)).toBe(map))
