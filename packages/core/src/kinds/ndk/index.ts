import { ANDROID, BUILD_FLAGS, type BuildFlags, buildOf } from '../android.ts'
import { isAppBundle } from '../android-bundle.ts'
import { ELF } from '../file-content.ts'
import { defineKind } from '../kind.ts'
import { examineLibraries } from './check.ts'
import type { NdkSymbolEvent } from './event.ts'
import { isNativeLibrary } from './native-library.ts'
import { collectNdkLibraries, type NdkInput } from './ndk.ts'

/** Native Android libraries with symbols. `symup check` treats every `.so` file as a native Android library. */
export const ndk = defineKind<NdkSymbolEvent, NdkInput, BuildFlags>({
  type: 'ndk_symbol_file',
  label: 'Android native symbols',
  platform: 'android',
  // Stack frames refer to a library by its build id, so no other metadata is required.
  event: { required: [] },
  parts: { required: ['ndk_symbol_file'] },
  content: ELF,
  collect: collectNdkLibraries,
  check: {
    isOne: (file, single) =>
      isNativeLibrary(file) ||
      /\.so\.[\d.]+$/.test(file) ||
      /(?:^|\/)[^/]*native-debug-symbols[^/]*\.zip$/i.test(file) ||
      isAppBundle(file) ||
      (single && file.endsWith('.zip')),
    examine: examineLibraries,
  },
  command: {
    setUp: 'gradle-libraries',
    group: ANDROID,
    name: 'upload-ndk',
    argument: '<dir...>',
    argumentDescription: 'directories with unstripped .so files, an app bundle (.aab) or native-debug-symbols.zip',
    description: 'upload the native libraries and their symbols for one build variant',
    flags: BUILD_FLAGS,
    examples: [
      'symup android upload-ndk app/build/intermediates/merged_native_libs/freeRelease',
      'symup android upload-ndk obj --variant freeRelease --version-code 42',
      'symup android upload-ndk app-release.aab --variant release',
    ],
  },
  place: (event) => `${buildOf(event)}, ${event.arch}`,
})
