import { ELF } from '../file-content.ts'
import { defineKind } from '../kind.ts'
import type { HarmonySymbolFileEvent } from './event.ts'
import { collectHarmonyLibraries, type HarmonyNativeInput } from './harmony-native.ts'

/** Native HarmonyOS libraries with symbols. `symup harmony upload` sends native libraries together with the ArkTS maps. */
export const harmonyNative = defineKind<HarmonySymbolFileEvent, HarmonyNativeInput>({
  type: 'harmony_symbol_file',
  label: 'HarmonyOS native symbols',
  platform: 'harmony',
  // Stack frames refer to a library by its build id.
  event: { required: [] },
  parts: { required: ['symbol_file'] },
  content: ELF,
  collect: collectHarmonyLibraries,
  place: ({ lib_name, arch }) => `${lib_name}, ${arch}`,
})
