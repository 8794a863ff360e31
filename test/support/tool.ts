import { it } from 'vitest'
import { findChromium } from './browser.ts'

/**
 * The `it` and `describe.runIf` of tests that need a program that npm does not install (they belong to the world tier).
 * If it is missing, they fail in CI and are skipped otherwise; the title contains the reason.
 * @param from where the program comes from, such as a Debian package.
 */
export function needs(tool: string, isThere: boolean, from: string): { isThere: boolean; reason: string } {
  if (!isThere && process.env.CI) {
    it(`${tool} is there`, () => {
      throw new Error(`${tool} is missing. CI must have it: ${from}`)
    })
  }
  return { isThere, reason: isThere ? '' : ` (skipped: no ${tool}; ${from})` }
}

export const needsChromium = () => needs('Chromium', findChromium() !== undefined, 'Debian: chromium')
