import type { CommandGroup } from './kind.ts'

export const ANDROID: CommandGroup = { name: 'android', description: 'Android mapping files and native symbols' }

export interface BuildFlags {
  variant?: string
  versionCode?: number
  buildId?: string
  gradle?: string
}

export const BUILD_FLAGS = {
  variant: {
    flags: '--variant <name>',
    description:
      'build variant, such as freeRelease (default: inferred from the path, or release if there are no flavors)',
  },
  versionCode: { flags: '--version-code <n>', description: 'versionCode of the build', range: [0, 2_147_483_647] },
  buildId: { flags: '--build-id <id>', description: 'id of this app build, if available' },
  gradle: {
    flags: '--gradle <path>',
    description: 'build.gradle(.kts) file to read (default: the file in the project directory or in app/)',
  },
} as const

/** Returns the display name of a build, such as `freeRelease (42)`. */
export function buildOf({ variant, version_code }: { variant: string; version_code?: number }): string {
  return version_code === undefined ? variant : `${variant} (${version_code})`
}
