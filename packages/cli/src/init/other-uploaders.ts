import { t } from '@symup/core/text'
import type { Project } from './project.ts'

/** Packages that delete source maps during the build, even if their upload fails. The listed option controls the deletion. */
const DELETE: readonly (readonly [name: RegExp, option: string])[] = [
  [/^@sentry\/nextjs$/, 'sourcemaps.deleteSourcemapsAfterUpload'],
  [
    /^@sentry\/(?:(?:vite|webpack|rollup|esbuild)-plugin|astro|nuxt|react-router|remix|solidstart|sveltekit|tanstackstart-react)$/,
    'sourcemaps.filesToDeleteAfterUpload',
  ],
  [/^@grafana\/faro-(?:rollup|webpack|esbuild)-plugin$/, 'keepSourcemaps: false'],
  [/^@posthog\/(?:nextjs-config|rollup-plugin|webpack-plugin|nuxt)$/, 'sourcemaps.deleteAfterUpload'],
]

/** Packages that upload source maps without deleting them. */
const UPLOAD = new RegExp(
  `^(?:${[
    '@sentry/cli',
    '@datadog/datadog-ci',
    '@datadog/(?:vite|webpack|rollup|esbuild|rspack)-plugin',
    '@bugsnag/(?:source-maps|cli)',
    'webpack-bugsnag-plugins|vite-plugin-bugsnag',
    '@grafana/faro-cli',
    '@honeybadger-io/(?:rollup-plugin|webpack)',
    '(?:rollbar-sourcemap-webpack|raygun-sourcemap-webpack)-plugin|vite-plugin-rollbar(?:-sourcemap)?',
    '@newrelic/publish-sourcemap',
    '@posthog/cli',
    '@highlight-run/sourcemap-uploader',
  ].join('|')})$`,
)

/** Matches the commands of uploader packages in npm scripts. */
const COMMAND =
  /(?:^|[\s/"'&;|(])(sentry-cli|datadog-ci|bugsnag-source-maps|bugsnag-cli|faro-cli|posthog-cli|publish-sourcemap)(?=[\s"';)]|$)/

/** Returns notes about other uploaders. symup cannot upload maps that they delete, and they cannot find maps that symup deleted. */
export function otherUploaderNotes({ dependencies, manifest }: Project): string[] {
  const names = [...dependencies.keys()]
  const scripts = Object.entries(manifest.scripts ?? {}).flatMap(([script, line]) => {
    const [, command] = COMMAND.exec(line) ?? []
    return command === undefined ? [] : [t`${command} (script ${script})`]
  })
  const deleters = names.flatMap((name) => {
    const [, option] = DELETE.find(([pattern]) => pattern.test(name)) ?? []
    if (option === undefined) return []
    return t`${name} may delete the source maps before symup can upload them (${option}). If you use both tools, let only symup delete source maps (deleteAfterUpload: true).`
  })
  const others = [...names.filter((name) => UPLOAD.test(name)), ...scripts]
  if (others.length === 0) return deleters
  return [
    ...deleters,
    t`After you confirm that stacks resolve with symup, remove ${others.join(', ')}. Other uploaders cannot find source maps that symup has deleted.`,
  ]
}
