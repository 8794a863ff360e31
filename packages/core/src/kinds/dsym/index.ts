import { defineKind } from '../kind.ts'
import { examineImages } from './check.ts'
import { collectDsyms, type DsymInput, renderDsyms } from './dsym.ts'
import type { IosSymbolsEvent } from './event.ts'
import { dsymOfShell, isDsymArchive } from './names.ts'

export const dsym = defineKind<IosSymbolsEvent, DsymInput>({
  type: 'ios_symbols',
  label: 'dSYM',
  platform: 'ios',
  event: { required: [] },
  parts: { required: ['symbols_archive'] },
  async collect(input) {
    const plan = await collectDsyms(input)
    return { ...plan, details: renderDsyms(plan.dsyms) }
  },
  check: {
    isOne: (file, single) =>
      /\.dSYM\/Contents\/Resources\/DWARF\/(?!\._)[^/]+$/.test(file) ||
      dsymOfShell(file) !== undefined ||
      isDsymArchive(file) ||
      (single && file.endsWith('.zip')),
    examine: examineImages,
  },
  command: {
    group: { name: 'ios', description: 'iOS and macOS debug symbols' },
    argument: '<path...>',
    argumentDescription: '.dSYM bundles, directories, zip files or .xcarchives',
    description: 'upload all usable dSYMs with their BCSymbolMaps; does not require macOS',
    examples: [
      'symup ios upload build/Shop.xcarchive',
      'symup ios upload appDsyms.zip build/Shop.xcarchive',
      'symup ios upload Shop.app.dSYM --dry-run',
    ],
    needsRelease: false,
    input: ({ dryRun, ...context }) => ({ ...context, pack: !dryRun }),
  },
  place: ({ uuids }) => uuids,
})
