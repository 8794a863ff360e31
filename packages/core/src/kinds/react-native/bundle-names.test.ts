import { expect, it } from 'vitest'
import { isReactNativeBundle, platformOfBundle } from './bundle-names.ts'

it.each<[string, string | undefined, boolean]>([
  ['index.android.bundle', 'android', true],
  ['main.jsbundle', 'ios', true],
  ['index.ios.bundle', 'ios', true],
  ['bundle.harmony.js', 'harmony', true],
  ['hermes_bundle.hbc', 'harmony', true],
  ['shop.bundle', undefined, true],
  ['index.bundlejs', undefined, true],
  ['bundle.js', undefined, false],
  ['my_hermes_bundle.hbc', undefined, false],
  ['androidx.js', undefined, false],
])('%s is of %s, a bundle: %s', (name, platform, isBundle) => {
  expect(platformOfBundle(name)).toBe(platform)
  expect([name, `a/${name}`].map(isReactNativeBundle)).toEqual([isBundle, isBundle])
})
