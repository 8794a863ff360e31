import { afterAll } from 'vitest'
import { openChromium, type WithPage } from './browser.ts'

/** One Chromium for the tests of a file, started by the first that opens a page. */
export function useChromium(flags: readonly string[] = []): WithPage {
  const { withPage, close } = openChromium(flags)
  afterAll(close)
  return withPage
}
