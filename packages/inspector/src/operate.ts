import { t } from './words.ts'

/** The user's key, kept as long as the page is open. */
let appKey = ''

export function setAppKey(key: string): void {
  appKey = key
}

export function currentAppKey(): string {
  return appKey
}

/**
 * Calls an operation of the intake like a client.
 * @param body JSON text, because 64-bit ids must stay exact.
 * @throws Error with the intake's message and the id of the request.
 */
export async function operate(path: string, body: string): Promise<void> {
  if (appKey === '') throw new Error(t('nameAppKey'))
  const response = await fetch(`${path}?app_key=${encodeURIComponent(appKey)}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Symup-Test': '1' },
    body,
  })
  const { error, request_id: id } = (await response.json()) as { error?: { message: string }; request_id: string }
  if (error) throw new Error(t('failedRequest', { message: error.message, id }))
}
