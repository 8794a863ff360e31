/** The bundlers for which there is a plugin to compare with. */
export const BUNDLERS = ['vite', 'webpack'] as const
export type BundlerName = (typeof BUNDLERS)[number]

/** For each bundler: the build, and a plugin that calls `written()` after the last file is written and before other plugins act. */
const BUILDS: Readonly<Record<BundlerName, string>> = {
  vite: `
const { build } = await import('vite')
const probe = { name: 'probe', writeBundle: { order: 'pre', handler: written } }
run = (plugin) => build({
  configFile: false, logLevel: 'warn', plugins: [probe, plugin],
  build: { outDir: OUT, sourcemap: 'hidden', emptyOutDir: true, chunkSizeWarningLimit: 1e6, reportCompressedSize: false },
})`,
  // Not minified, because that takes minutes and is independent of the plugin.
  webpack: `
const { default: bundler } = await import('webpack')
const probe = { apply: (compiler) => void compiler.hooks.afterEmit.tap({ name: 'probe', stage: -1e6 }, () => void written()) }
run = (plugin) => new Promise((resolve, reject) => {
  const compiler = bundler({
    mode: 'production', context: process.cwd(), entry: './src/main.js', devtool: 'hidden-source-map',
    output: { path: OUT, filename: '[name].js', chunkFilename: '[name].js' },
    optimization: { minimize: false, chunkIds: 'named' }, performance: false, plugins: [probe, plugin],
  })
  compiler.run((error, stats) => {
    if (error || stats.hasErrors()) reject(error ?? new Error(stats.toString()))
    else compiler.close((failed) => (failed ? reject(failed) : resolve()))
  })
})`,
}

/**
 * A script that builds and records the cost of its plugin: loading, and everything between the bundler's last file and the end of the
 * process. The memory cost is the rise of the peak in each of these phases. The bundler's earlier work is excluded, because it varies more
 * between runs than plugins do. Rollup's peak alone varies by 200 MB.
 */
export function buildScript(
  bundler: BundlerName,
  { module, plugin, outDir, figures }: { module: string | undefined; plugin: string; outDir: string; figures: string },
): string {
  return `import { readFileSync, writeFileSync } from 'node:fs'
const OUT = ${JSON.stringify(outDir)}
// User and system time, including children that have ended, in units of 10 ms.
const children = () => {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}
const peak = () => Number(/^VmHWM:\\s+(\\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024
const now = () => {
  const { user, system } = process.cpuUsage()
  return { cpu: (user + system) / 1e6 + children(), wall: performance.now() / 1000, peak: peak() }
}
let run
let atWritten
const written = () => { atWritten = now() }
${BUILDS[bundler]}
const start = now()
const address = ${JSON.stringify(module) ?? 'undefined'}
const plugin = address && (await import(address))
const loaded = now()
process.on('exit', () => {
  const end = now()
  const sum = (field) => loaded[field] - start[field] + end[field] - atWritten[field]
  writeFileSync(${JSON.stringify(figures)}, ['cpu', 'wall', 'peak'].map(sum).join(' '))
})
await run(${plugin})
`
}
