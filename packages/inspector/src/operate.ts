import { t } from './words.ts'

/** Of whoever looks, for as long as the page is open. */
let appKey = ''

export function setAppKey(key: string): void {
  appKey = key
}

export function currentAppKey(): string {
  return appKey
}

/**
 * Calls an operation of the intake as a client would.
 * @param body JSON: ids of 64 bits stay as they are.
 * @throws Error with the intake's own words and the id of the request.
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
