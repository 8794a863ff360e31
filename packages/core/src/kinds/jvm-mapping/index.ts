import { ANDROID, BUILD_FLAGS, type BuildFlags, buildOf } from '../android.ts'
import { isAppBundle } from '../android-bundle.ts'
import { MAPPING } from '../file-content.ts'
import { defineKind } from '../kind.ts'
import { examineMappings } from './check.ts'
import type { JvmMappingEvent } from './event.ts'
import { collectJvmMapping, type JvmMappingInput } from './jvm-mapping.ts'
import { readMappingFacts } from './jvm-mapping-sanity.ts'

export interface MappingFlags extends BuildFlags {
  trimIndents?: boolean
  packageAlias?: Record<string, string>
}

export const jvmMapping = defineKind<JvmMappingEvent, JvmMappingInput, MappingFlags>({
  type: 'jvm_mapping_file',
  label: 'ProGuard or R8 mapping',
  platform: 'android',
  event: { required: ['service', 'version'] },
  parts: { required: ['jvm_mapping_file'] },
  content: MAPPING,
  async accept({ parts }) {
    const { flaw } = await readMappingFacts(parts.get('jvm_mapping_file')?.path ?? '')
    return flaw === undefined ? undefined : { refused: 'jvm_mapping_file', why: flaw }
  },
  collect: collectJvmMapping,
  check: {
    isOne: (file, single) =>
      /(?:^|\/)mapping[^/]*\.txt$/i.test(file) || isAppBundle(file) || (single && file.endsWith('.txt')),
    examine: examineMappings,
  },
  command: {
    setUp: 'gradle-mapping',
    group: ANDROID,
    name: 'upload-mapping',
    argument: '<mapping.txt>',
    takesFile: true,
    argumentDescription: 'ProGuard or R8 mapping file, or an app bundle (.aab) that contains one',
    description: 'upload the mapping file for one build variant',
    flags: {
      trimIndents: { flags: '--trim-indents', description: 'remove leading spaces from the mapping file' },
      packageAlias: {
        flags: '--package-alias <prefix=alias>',
        description: 'replace a package prefix with a shorter alias in the uploaded file; can be repeated',
        isPairs: true,
      },
      ...BUILD_FLAGS,
    },
    examples: [
      'symup android upload-mapping app/build/outputs/mapping/freeRelease/mapping.txt',
      'symup android upload-mapping app-release.aab --variant release',
      'symup android upload-mapping mapping.txt --variant freeRelease \\',
      '  --version-code 42 --service shop --release-version 1.2.3',
    ],
  },
  place: buildOf,
})
