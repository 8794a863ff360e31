import { readHead } from '../file-content.ts'
import { defineKind } from '../kind.ts'
import { type BreakpadInput, collectBreakpad, examineBreakpad } from './breakpad.ts'
import type { ElectronSymbolEvent } from './event.ts'
import { BREAKPAD_MODULE } from './module-line.ts'

/** Breakpad symbol files of an Electron application. */
export const breakpad = defineKind<ElectronSymbolEvent, BreakpadInput>({
  type: 'electron_symbol_file',
  label: 'Electron symbols',
  platform: 'browser',
  event: { required: ['service', 'version'] },
  parts: { required: ['symbol_file'] },
  async accept({ parts }) {
    const [line] = (await readHead(parts.get('symbol_file')?.path ?? '')).toString('utf8').split(/\r?\n/, 1)
    const [, , id, name] = BREAKPAD_MODULE.exec(line ?? '') ?? []
    if (id === undefined || name === undefined) {
      const why = 'The file is not a Breakpad symbol file: it does not begin with a MODULE line.'
      return { refused: 'symbol_file', why }
    }
    return { buildId: id.toUpperCase(), fileName: name.slice(0, 200), identity: [id.toUpperCase()] }
  },
  collect: collectBreakpad,
  check: {
    isOne: (file) => file.endsWith('.sym'),
    examine: examineBreakpad,
  },
  command: {
    group: { name: 'electron', description: 'Breakpad symbols (.sym) of an Electron app' },
    argument: '<dir|file>',
    argumentDescription: 'a .sym file, or a directory to search for .sym files',
    description: 'upload all Breakpad symbol files at the path',
    examples: [
      'symup electron upload breakpad_symbols --service desk --release-version 1.2.3',
      'symup electron upload shop.sym --dry-run',
    ],
    input: ({ paths: [path], ...context }) => ({ ...context, path }),
  },
  place: () => 'Electron',
})
