import type { TestIntake } from '@symup/intake/testing'
import { describe } from 'vitest'
import type { Bundler } from '../bundlers.ts'
import { namesAddresses } from './addresses.ts'
import { losesMaps } from './lost-maps.ts'
import { sharesDirectory } from './one-directory.ts'
import { handlesMaps, uploadsScripts } from './uploads.ts'

/** The plugin's behaviour in every bundler. The fast tier tests two bundlers, the world tier all others. */
export function describePlugin(bundlers: readonly Bundler[], intake: TestIntake): void {
  describe.each(bundlers)('$name $version', (bundler) => {
    for (const property of [uploadsScripts, handlesMaps, namesAddresses, sharesDirectory, losesMaps])
      property(bundler, intake)
  })
}
