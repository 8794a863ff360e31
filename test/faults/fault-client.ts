// Uploads every file of a directory: `fault-client.ts <directory> <endpoint> <ledger> <json options>`. Prints, as JSON,
// the report without its outcomes' events, and the largest resident set in MB.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { resolveSettings, upload } from '@symup/core'

const [directory = '', endpoint = '', ledger = '', options = '{}'] = process.argv.slice(2)
const resolution = resolveSettings({
  options: { apiKey: 'fault-suite-key', endpoint, service: 's', version: '1', minifiedPathPrefix: '/' },
  env: {},
  ignoreConfigFile: true,
})
if (!resolution.ok) throw new Error('settings')
const uploads = readdirSync(directory)
  .sort()
  .map((name) => {
    const path = join(directory, name)
    return {
      event: {
        type: 'js_sourcemap' as const,
        cli_version: '0',
        service: 's',
        version: '1',
        minified_url: `/${name}`,
        project_path: '',
      },
      parts: [{ name: 'source_map', filename: 'source_map', path, bytes: statSync(path).size }],
    }
  })
const report = await upload({ uploads, problems: [] }, resolution.settings, {
  adapter: { name: 'faults', version: '0' },
  ledger,
  resume: true,
  onProgress: ({ done }) => process.send?.(done),
  ...JSON.parse(options),
})
const sent = report.outcomes.filter(({ attempts }) => attempts > 0).length
process.stdout.write(
  JSON.stringify({
    totals: report.totals,
    sent,
    peak: process.resourceUsage().maxRSS / 1024,
  }),
)
const { refused, failed, notTried } = report.totals
process.exitCode = refused + failed + notTried === 0 ? 0 : 1
process.disconnect?.()
