import type { JsonVisitor } from '../../formats/source-map/json-scanner.ts'
import { t } from '../../text.ts'
import type { ReceivedPart } from '../kind.ts'
import { scanFile, scanReceived } from './scan-json.ts'

/**
 * Why a file is no `nameCache.json`, as the end of a sentence; undefined when it is one.
 * @throws the file system's error when it cannot be read.
 */
export function nameCacheFlaw(path: string): string | undefined {
  const root = new Root()
  return scanFile(path, root) ?? root.flaw()
}

/** The same for a file of an upload. */
export async function receivedCacheFlaw(part: ReceivedPart): Promise<string | undefined> {
  const root = new Root()
  return (await scanReceived(part, root)) ?? root.flaw()
}

/** Whether a document is an object; what is in it is passed over. */
class Root implements JsonVisitor {
  #isObject = false

  open(isArray: boolean): boolean {
    this.#isObject = !isArray
    return false
  }

  flaw(): string | undefined {
    return this.#isObject ? undefined : t`is no JSON object`
  }

  close(): void {}

  key(): boolean {
    return false
  }

  value(): void {}
}
