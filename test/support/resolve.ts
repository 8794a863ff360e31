import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Intake } from '@symup/intake'
import { VITE_APP } from './build-fixture.ts'

export interface Place {
  function?: string
  file: string
  line: number
  column: number
}

/** The position of a text in an original file, found in the source itself instead of through a map. The text must occur exactly once. */
export function positionOf(path: string, text: string, root = VITE_APP): Place {
  const source = readFileSync(path, 'utf8')
  const offset = source.indexOf(text)
  if (offset === -1 || source.indexOf(text, offset + 1) !== -1)
    throw new Error(`"${text}" does not stand once in ${path}`)
  const before = source.slice(0, offset).split('\n')
  return { file: relative(root, path), line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** Asks an intake to resolve a stack of the fixture app. Unresolved frames stay unchanged. */
export async function enrich(intake: Pick<Intake, 'url'>, stack: string, service = 'shop'): Promise<Place[]> {
  const response = await fetch(`${intake.url}/sourcemap/stack/enrich?app_key=dev-app-key`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ service, version: '1.2.3', type: 'browser', stack }),
  })
  const { data } = (await response.json()) as { data: { frames: Place[] } }
  return data.frames.map(({ function: name, file, line, column }) => ({
    ...(name !== undefined && { function: name }),
    file,
    line,
    column,
  }))
}
