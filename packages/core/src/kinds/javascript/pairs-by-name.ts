import { join } from 'node:path'
import type { SymbolUpload } from '../../model/plan.ts'
import { minifiedUrl } from '../../settings/prefix.ts'
import type { NamedRelease } from '../kind.ts'
import { isScript, TRAITS } from './traits.ts'

/**
 * Pairs scripts and maps by file name. No file is read, so the function also works while the process exits.
 * @param files paths relative to the directory, with `/` as the separator.
 */
export function pairsByName(
  directory: string,
  files: ReadonlySet<string>,
  { service, version, minifiedPathPrefix }: NamedRelease,
): SymbolUpload[] {
  const scripts = [...files].filter((file) => isScript(file) && files.has(`${file}.map`))
  return scripts.map((file) => {
    const part = (name: string, path: string) => ({ name, filename: name, path: join(directory, path), bytes: 0 })
    const minified_url = minifiedUrl(minifiedPathPrefix, file)
    return {
      event: { type: 'js_sourcemap', cli_version: '', service, version, minified_url, project_path: '' },
      parts: [part(TRAITS.map, `${file}.map`), part(TRAITS.script, file)],
    }
  })
}
