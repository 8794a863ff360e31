import type { Rejection } from '@symup/intake/inspector'
import { seen } from './steering.ts'

type Fields = Readonly<Record<string, unknown>>

/** The upload may have been refused because its event is not valid JSON. */
function eventOf({ event }: Rejection): Fields {
  try {
    return (JSON.parse(event) as Fields | null) ?? {}
  } catch {
    return {}
  }
}

const texts = (...values: unknown[]) => values.filter((value) => typeof value === 'string' && value !== '') as string[]

export function releaseOf(rejection: Rejection): string {
  const { service, version } = eventOf(rejection)
  return seen(texts(service, version).join(' '))
}

export function rejectedFile(rejection: Rejection): string {
  const [file = '–'] = texts(eventOf(rejection).minified_url, ...rejection.parts.map(({ filename }) => filename))
  return file
}
