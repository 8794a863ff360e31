import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Roots } from '../../files/roots.ts'
import type { JsonVisitor } from '../../formats/source-map/json-scanner.ts'
import type { FilePart } from '../../model/plan.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { unreadable } from '../../problems/unreadable.ts'
import { t } from '../../text.ts'
import type { ReceivedPart } from '../kind.ts'
import { scanJson } from './scan-json.ts'

export function nameCacheBeside(map: string): string | undefined {
  const prefix = basename(map).replace(/sourceMaps\.map$/, '')
  return [`${prefix}nameCache.json`, 'nameCache.json', 'obfuscation/nameCache.json']
    .map((name) => join(dirname(map), name))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isFile() && new Roots([dirname(map)]).hold(path))
}

/**
 * Checks a name cache and reports its problems.
 * @param file the display name of the file in problem messages.
 * @returns undefined if the cache is unusable, in which case the map is not sent either.
 */
export async function nameCachePart(path: string, file: string, problems: Problem[]): Promise<FilePart | undefined> {
  try {
    const { size: bytes } = statSync(path)
    const flaw = bytes === 0 ? undefined : await nameCacheFlaw({ path, bytes })
    if (flaw === undefined)
      return { name: 'name_cache', filename: 'nameCache.json', path, bytes, contentType: 'application/json' }
    problems.push(problem('name-cache-invalid', flaw, { file }))
  } catch (error) {
    problems.push(unreadable('file-unreadable', error, { file }))
  }
  return undefined
}

/**
 * Returns a sentence that explains why a file is not a `nameCache.json`, or undefined if it is one.
 * @throws a file system error if it cannot be read.
 */
export async function nameCacheFlaw(part: ReceivedPart): Promise<string | undefined> {
  const root = new Root()
  return (await scanJson(part, root)) ?? root.flaw()
}

class Root implements JsonVisitor {
  #isObject = false

  open(isArray: boolean): boolean {
    this.#isObject = !isArray
    return false
  }

  flaw(): string | undefined {
    return this.#isObject ? undefined : t`The content is not a JSON object.`
  }

  close(): void {}

  key(): boolean {
    return false
  }

  value(): void {}
}
