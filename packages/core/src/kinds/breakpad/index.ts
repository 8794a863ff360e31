import { defineKind } from '../kind.ts'
import { type BreakpadInput, collectBreakpad, examineBreakpad } from './breakpad.ts'
import type { ElectronSymbolEvent } from './event.ts'
import { breakpadModule } from './module-line.ts'

export const breakpad = defineKind<ElectronSymbolEvent, BreakpadInput>({
  type: 'electron_symbol_file',
  label: 'Electron symbols',
  platform: 'browser',
  event: { required: ['service', 'version'] },
  parts: { required: ['symbol_file'] },
  async accept({ parts }) {
    const module = await breakpadModule(parts.get('symbol_file')?.path ?? '')
    if (module) return { buildId: module.id, fileName: module.name, identity: [module.id] }
    const why = 'The file is not a Breakpad symbol file: it does not begin with a MODULE line.'
    return { refused: 'symbol_file', why }
  },
  collect: collectBreakpad,
  check: {
    isOne: (file) => file.endsWith('.sym'),
    examine: examineBreakpad,
  },
  command: {
    group: { name: 'electron', description: 'Breakpad symbols (.sym) for Electron apps' },
    argument: '<dir|file>',
    argumentDescription: '.sym file, or a directory to search for .sym files',
    description: 'upload a Breakpad symbol file, or all symbol files in a directory',
    examples: [
      'symup electron upload breakpad_symbols --service desk --release-version 1.2.3',
      'symup electron upload shop.sym --dry-run',
    ],
    input: ({ paths: [path], ...context }) => ({ ...context, path }),
  },
  place: () => 'Electron',
})
