import { type Bundler, FEATURES, type Feature } from './bundlers.ts'

/** The versions in the tests and the features that a bundler lacks, as a Markdown table. */
export function bundlersTable(bundlers: readonly Bundler[]): string {
  const features = Object.keys(FEATURES) as Feature[]
  const names = [...new Set(bundlers.map(({ name }) => name))]
  const rows = names.map((name) => {
    const versions = bundlers.filter((bundler) => bundler.name === name)
    const [bundler] = versions as [Bundler]
    const major = versions.map(({ version }) =>
      version.startsWith('0.') ? version.split('.', 2).join('.') : version.split('.')[0],
    )
    const cells = features.map((feature) => bundler.lacks[feature] ?? 'yes')
    return [name, major.join(', '), ...cells]
  })
  const head = ['bundler', 'tested', ...features.map((feature) => FEATURES[feature])]
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
