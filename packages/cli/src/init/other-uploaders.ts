import { t } from '@symup/core/internal'
import type { Project } from './project.ts'

/** Packages that delete source maps in the build, also where they could not upload them, and their option for it. */
const DELETE: readonly (readonly [name: RegExp, option: string])[] = [
  [/^@sentry\/nextjs$/, 'sourcemaps.deleteSourcemapsAfterUpload'],
  [
    /^@sentry\/(?:(?:vite|webpack|rollup|esbuild)-plugin|astro|nuxt|react-router|remix|solidstart|sveltekit|tanstackstart-react)$/,
    'sourcemaps.filesToDeleteAfterUpload',
  ],
  [/^@grafana\/faro-(?:rollup|webpack|esbuild)-plugin$/, 'keepSourcemaps: false'],
]

/** What to change in the config of other uploaders while they stay: maps that they delete cannot be uploaded. */
export function notesOnOthers({ dependencies }: Project): string[] {
  return [...dependencies.keys()].flatMap((name) => {
    const [, option] = DELETE.find(([pattern]) => pattern.test(name)) ?? []
    if (option === undefined) return []
    return t`${name} may delete the source maps before symup sees them (${option}): while both are there, only symup should (deleteAfterUpload: true).`
  })
}
