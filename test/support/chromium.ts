import { afterAll } from 'vitest'
import { openChromium, type WithPage } from './browser.ts'

/** One Chromium for the tests of a file, started when the first page is opened. */
export function useChromium(flags: readonly string[] = []): WithPage {
  const { withPage, close } = openChromium(flags)
  afterAll(close)
  return withPage
}
