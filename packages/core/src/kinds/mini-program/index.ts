import { defineKind } from '../kind.ts'
import { examineMiniPrograms } from './check.ts'
import type { MiniProgramSourceMapEvent } from './event.ts'
import { collectMiniProgram, type MiniProgramInput } from './mini-program.ts'

export interface MiniProgramFlags {
  appid?: string
  over?: string
  /** Commander stores the value of `--no-proof` under this name. */
  proof?: boolean
}

export const miniProgram = defineKind<MiniProgramSourceMapEvent, MiniProgramInput, MiniProgramFlags>({
  type: 'miniprogram_sourcemap',
  label: 'Mini-program source maps',
  platform: 'miniprogram',
  event: { required: ['service', 'version'] },
  parts: { required: ['sourcemap_archive'] },
  collect: collectMiniProgram,
  check: {
    isOne: (file, single) => /(?:^|\/)[^/]*source-?maps?[^/]*\.zip$/i.test(file) || (single && file.endsWith('.zip')),
    examine: examineMiniPrograms,
  },
  command: {
    setUp: 'archive',
    group: { name: 'mini-program', description: 'source maps for WeChat and other mini programs' },
    argument: '<zip|dir>',
    takesFile: true,
    argumentDescription: 'archive to upload, or a directory to pack and upload',
    description: 'check the archive against the limits and upload it',
    flags: {
      appid: {
        flags: '--appid <id>',
        description:
          'appid that distinguishes mini programs with the same service and version; auto reads it from project.config.json',
      },
      over: {
        flags: '--over <dir>',
        description:
          'directory of the build output that you uploaded to WeChat, used to resolve stacks to the original sources (only for a zip from WeChat)',
      },
      proof: {
        flags: '--no-proof',
        description: 'upload without checking sample positions in the source maps',
      },
    },
    examples: [
      'symup mini-program upload dist --service shop --release-version 1.2.3 \\',
      '  --appid wx0123456789abcdef',
      'symup mini-program upload sourcemap.zip --dry-run',
    ],
  },
  place: ({ appid }) => appid ?? 'mini program',
})
