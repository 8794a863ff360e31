import { invalidParameter } from '../errors.ts'

/** A JSON request body. Fields that nobody asks for are ignored; `null` is as good as absent. */
export type Body = Readonly<Record<string, unknown>>

export function wholeNumber(body: Body, name: string, rule: { required: true; least?: number; most?: number }): number
export function wholeNumber(body: Body, name: string, rule?: { least?: number; most?: number }): number | undefined
export function wholeNumber(
  body: Body,
  name: string,
  {
    required = false,
    least = 0,
    most = Number.MAX_SAFE_INTEGER,
  }: { required?: boolean; least?: number; most?: number } = {},
): number | undefined {
  const value = body[name] ?? undefined
  if (value === undefined && !required) return undefined
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least || value > most)
    throw invalidParameter(name)
  return value
}

export function text(body: Body, name: string): string | undefined {
  const value = body[name] ?? undefined
  if (value !== undefined && typeof value !== 'string') throw invalidParameter(name)
  return value
}

export function requiredText(body: Body, name: string): string {
  const value = text(body, name)
  if (value === undefined || value === '') throw invalidParameter(name)
  return value
}

export function flag(body: Body, name: string): boolean | undefined {
  const value = body[name] ?? undefined
  if (value !== undefined && typeof value !== 'boolean') throw invalidParameter(name)
  return value
}

export function oneOf<T extends string>(body: Body, name: string, allowed: readonly T[]): T | undefined {
  const value = body[name] ?? undefined
  if (value === undefined) return undefined
  if (!allowed.includes(value as T)) throw invalidParameter(name)
  return value as T
}

/** An object whose values are all strings. */
export function textsByName(body: Body, name: string): Record<string, string> | undefined {
  const value = body[name] ?? undefined
  if (value === undefined) return undefined
  if (
    typeof value !== 'object' ||
    Array.isArray(value) ||
    !Object.values(value).every((it) => typeof it === 'string')
  ) {
    throw invalidParameter(name)
  }
  return value as Record<string, string>
}
