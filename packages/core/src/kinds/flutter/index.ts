import { ELF } from '../file-content.ts'
import { defineKind } from '../kind.ts'
import type { FlutterSymbolEvent } from './event.ts'
import { collectFlutter, examineFlutter, type FlutterInput } from './flutter.ts'
import { SYMBOLS } from './symbol-names.ts'

export interface Flags {
  flavor?: string
}

export const flutter = defineKind<FlutterSymbolEvent, FlutterInput, Flags>({
  type: 'flutter_symbol_file',
  label: 'Flutter symbols',
  platform: 'android',
  event: { required: ['service', 'version'] },
  parts: { required: ['flutter_symbol_file'] },
  content: ELF,
  accept: async ({ event }) => {
    if (event.platform === 'ios') return { platform: 'ios' }
    return event.platform === 'ohos' ? { platform: 'harmony' } : undefined
  },
  collect: collectFlutter,
  check: {
    isOne: (file) => SYMBOLS.test(file),
    examine: examineFlutter,
  },
  command: {
    group: { name: 'flutter', description: 'Dart symbols for Flutter apps' },
    argument: '<dir|file>',
    argumentDescription: 'directory that was passed to flutter build --split-debug-info',
    description: 'upload the symbols for all architectures',
    flags: { flavor: { flags: '--flavor <name>', description: 'flavor of the build (default: release)' } },
    examples: [
      'symup flutter upload build/symbols --service shop --release-version 1.2.3',
      'symup flutter upload build/symbols --flavor paid --dry-run',
    ],
    input: ({ paths: [path], flags: { flavor }, ...context }) => ({ ...context, path, flavor }),
  },
  place: ({ flavor, platform, arch }) => `Flutter ${flavor}, ${platform} ${arch}`,
})
