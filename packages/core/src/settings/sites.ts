import type { OptionValue } from './table.ts'

/** The platform's sites and their intakes. */
export const SITES = {
  CN: 'https://ci.flashcat.cloud',
  STAGING: 'https://ci-dev.flashcat.cloud',
} as const satisfies Record<OptionValue<'site'>, string>

export type Site = keyof typeof SITES
export const DEFAULT_SITE: Site = 'CN'
