// What `symup web upload` does between its flags and its report: collect, upload, exit code.
import { collectJavaScript, exitCodeOf, resolveSettings, upload } from '@symup/core'

const [directory = '', endpoint = '', minifiedPathPrefix = '', compression] = process.argv.slice(2)
const resolution = resolveSettings({
  options: { apiKey: 'bench', endpoint, service: 'bench', version: '1.0.0', minifiedPathPrefix },
  env: {},
  ignoreConfigFile: true,
})
if (!resolution.ok) throw new Error(resolution.problems.map(({ message }) => message).join('\n'))
const { settings } = resolution
const plan = await collectJavaScript({
  directory,
  service: settings.service.value,
  version: settings.version.value,
  minifiedPathPrefix,
  toolVersion: '0',
})
const report = await upload(plan, settings, {
  adapter: { name: 'bench', version: '0' },
  ...(compression !== undefined && { compression: Number(compression) as 1 }),
})
process.exitCode = exitCodeOf(report)
