import { resolve } from 'node:path'
import { urlHost } from '../../files/url-path.ts'
import { type Accepted, defineKind, type ReceivedUpload, type Refusal } from '../kind.ts'
import { sourceMapRefusal, textOf } from '../received.ts'
import { examineJavaScript } from './check.ts'
import type { JavaScriptSourceMapEvent } from './event.ts'
import { collectJavaScript, type JavaScriptInput } from './javascript.ts'
import { pairsByName } from './pairs-by-name.ts'
import { isScript, isWasmFile, TRAITS } from './traits.ts'

export interface JavaScriptFlags {
  minifiedPathPrefix?: string
  projectPath?: string
  /** Commander stores the value of `--no-proof` under this name. */
  proof?: boolean
  disableGit?: boolean
  deleteAfterUpload?: boolean
}

export const javascript = defineKind<JavaScriptSourceMapEvent, JavaScriptInput, JavaScriptFlags>({
  type: 'js_sourcemap',
  label: 'JavaScript source map',
  platform: 'browser',
  event: { required: ['minified_url'], tellsApart: false },
  parts: { required: [TRAITS.map], optional: [TRAITS.script] },
  accept,
  traits: TRAITS,
  collect: collectJavaScript,
  check: {
    isOne: (file) => canHaveMap(file.replace(/\.map$/i, '')),
    belongs: (other, file) => canHaveMap(file) && other.endsWith('.map') && !other.endsWith('sourceMaps.map'),
    examine: examineJavaScript,
  },
  command: {
    group: { name: 'web', description: 'JavaScript and its source maps' },
    argument: '<dir>',
    argumentDescription: 'output directory of the build',
    description: 'upload every JavaScript file in <dir> that has a source map',
    flags: {
      minifiedPathPrefix: {
        flags: '--minified-path-prefix <prefix>',
        description: 'URL or absolute path where <dir> is deployed',
        isCommon: true,
      },
      projectPath: { flags: '--project-path <path>', description: 'path of the project within its repository' },
      proof: {
        flags: '--no-proof',
        description: 'upload without checking sample positions in the source maps',
        isCommon: true,
      },
      deleteAfterUpload: {
        flags: '--delete-after-upload',
        description: 'delete the source maps in <dir> after the upload',
        isCommon: true,
      },
      disableGit: { flags: '--disable-git', description: 'do not send the Git commit of the build', isCommon: true },
    },
    examples: [
      'symup web upload dist --service shop --release-version 1.2.3 \\',
      '  --minified-path-prefix https://cdn.example.com/shop',
      'symup web upload dist --delete-after-upload',
      'symup web upload dist --dry-run',
    ],
    needsPrefix: true,
    input: ({ paths: [directory], flags, cwd, ...context }) => ({
      ...context,
      directory: resolve(cwd, directory),
      projectPath: flags.projectPath ?? '',
    }),
  },
  place: ({ minified_url }) => minified_url,
  address: ({ minified_url }) => minified_url,
  flagsOf: ({ project_path: projectPath }) => ({ projectPath }),
  pairsByName,
})

const canHaveMap = (file: string): boolean => isScript(file) || isWasmFile(file)

async function accept({ event, parts }: ReceivedUpload): Promise<Accepted | Refusal> {
  const lacking = ['service', 'version'].find((field) => textOf(event, field) === undefined)
  if (textOf(event, 'debug_id') === undefined && lacking !== undefined)
    return { refused: `event.${lacking}`, why: 'Only a source map with a debug id may omit this field.' }
  if (climbs(String(event.minified_url)))
    return { refused: 'event.minified_url', why: 'The path must not contain .. segments.' }
  const address = String(event.minified_url)
  const host = urlHost(address)
  return (await sourceMapRefusal(parts)) ?? { address, ...(host !== undefined && { identity: [host] }) }
}

/** Browsers resolve `..` before they request a script, so no stack contains an address with `..`. */
function climbs(address: string): boolean {
  return /(?:^|\/)(?:\.|%2e){2}(?:\/|$)/i.test(address.split(/[?#]/, 1)[0] ?? '')
}
