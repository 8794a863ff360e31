import { t } from '@symup/core/text'
import type { Project } from './project.ts'

/** Packages that upload source maps. Some of them also delete the source maps, even if their upload fails. */
const UPLOADER = new RegExp(
  `^(?:${[
    '@sentry/(?:cli|nextjs|astro|nuxt|react-router|remix|solidstart|sveltekit|tanstackstart-react)',
    '@sentry/(?:vite|webpack|rollup|esbuild)-plugin',
    '@datadog/(?:datadog-ci|(?:vite|webpack|rollup|esbuild|rspack)-plugin)',
    '@bugsnag/(?:source-maps|cli)',
    'webpack-bugsnag-plugins|vite-plugin-bugsnag',
    '@grafana/faro-(?:cli|(?:rollup|webpack|esbuild)-plugin)',
    '@honeybadger-io/(?:rollup-plugin|webpack)',
    '(?:rollbar-sourcemap-webpack|raygun-sourcemap-webpack)-plugin|vite-plugin-rollbar(?:-sourcemap)?',
    '@newrelic/publish-sourcemap',
    '@posthog/(?:cli|nextjs-config|rollup-plugin|webpack-plugin|nuxt)',
    '@highlight-run/sourcemap-uploader',
  ].join('|')})$`,
)

/** Matches the commands of uploader packages in npm scripts. */
const COMMAND =
  /(?:^|[\s/"'&;|(])(sentry-cli|datadog-ci|bugsnag-source-maps|bugsnag-cli|faro-cli|posthog-cli|publish-sourcemap)(?=[\s"';)]|$)/

/** Returns a note about other uploaders. symup cannot upload maps that they delete, and they cannot find maps that symup deleted. */
export function otherUploaderNotes({ dependencies, manifest }: Project): string[] {
  const scripts = Object.entries(manifest.scripts ?? {}).flatMap(([script, line]) => {
    const [, command] = COMMAND.exec(line) ?? []
    return command === undefined ? [] : [t`${command} (script ${script})`]
  })
  const others = [...[...dependencies.keys()].filter((name) => UPLOADER.test(name)), ...scripts]
  if (others.length === 0) return []
  return [
    t`Remove ${others.join(', ')} as soon as stacks resolve with symup. Until then, let only symup delete source maps (deleteAfterUpload: true). An uploader cannot find source maps that another tool has deleted.`,
  ]
}
