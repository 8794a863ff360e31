import { parseStack } from '@symup/symbolicate/internal'
import { type Store, startOf } from '../symbols/room.ts'

const MAX_NAMES = 50

/**
 * Consoles shorten `https://h/js/app.js:1:85` to `app.js:1:85`. If exactly one file in the release has that name, the stack gets its path;
 * otherwise the name stays.
 */
export async function withPaths(
  { database: { scans } }: Store,
  stack: string,
  { service, version }: { service: string; version: string },
): Promise<string> {
  // Stacks from a console are short.
  if (startOf(stack) !== stack) return stack
  const names = new Set(parseStack(stack).flatMap(({ file }) => (file && /^[^/:\\]+$/.test(file) ? [file] : [])))
  if (names.size === 0) return stack
  const rows = await scans
    .selectFrom('artifact')
    .select(['file_name', 'path'])
    .distinct()
    .where('service', '=', service)
    .where('version', '=', version)
    .where('file_name', 'in', [...names].slice(0, MAX_NAMES))
    .execute()
  let text = stack
  for (const name of names) {
    const [own, ...others] = rows.filter((row) => row.file_name === name && row.path !== '')
    if (!own || others.length > 0) continue
    for (const before of [' ', '(']) text = text.replaceAll(`${before}${name}:`, () => `${before}${own.path}:`)
  }
  return text
}
