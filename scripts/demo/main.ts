// Builds a real app with the plugin and uploads its source maps to a local intake. The built code then throws an error, and `symup explain`
// resolves the browser's stack.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startIntake } from '@symup/intake'
import { runProgram } from '../../packages/cli/src/program.ts'
import { findChromium, openChromium, throwInChromium } from '../../test/support/browser.ts'
import { buildViteApp, VITE_APP } from '../../test/support/build-fixture.ts'
import { buildInspector } from '../../test/support/build-inspector.ts'
import { serve } from '../../test/support/serve.ts'
import { throwInNode } from '../../test/support/throw-in-node.ts'

const OUT_DIR = join(VITE_APP, 'dist')
const BASE = '/shop/'
const say = (text: string) => process.stdout.write(`${text}\n`)

async function stackOfBuiltCode(): Promise<string> {
  const chromium = findChromium()
  const site = await serve(OUT_DIR, BASE)
  try {
    if (chromium) {
      say(`\n3. Throwing in the built code, in ${chromium}`)
      const { withPage, close } = openChromium()
      return (await throwInChromium(withPage, site.url, ['lazy']).finally(close)).lazy
    }
    say(
      '\n3. Throwing in the built code, in Node: there is no Chromium here. File paths are shown as the URLs they are deployed under.',
    )
    return throwInNode(OUT_DIR, site.url)
  } finally {
    await site.close()
  }
}

async function main(): Promise<number> {
  const intake = await startIntake()
  try {
    say(`1. A local intake listens on ${intake.url}`)
    say('\n2. vite build, with the plugin')
    const build = await buildViteApp({ SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url })
    say(build.output.trimEnd())
    if (build.exitCode !== 0) return 1

    const file = join(OUT_DIR, 'stack.txt')
    writeFileSync(file, await stackOfBuiltCode())
    say(`\n4. symup explain stack.txt --service shop --release-version 1.2.3 --intake ${intake.url}\n`)
    const release = ['--service', 'shop', '--release-version', '1.2.3']
    const exitCode = await runProgram(
      ['explain', file, ...release, '--intake', intake.url, '--app-key', 'dev-app-key'],
      '0.0.0',
    )

    if (process.argv.includes('--keep')) {
      await buildInspector()
      say(
        `\nThe intake stays, with its inspector page: ${intake.url} (upload key dev-api-key, app key dev-app-key). Ctrl-C ends it.`,
      )
      await new Promise<void>((stop) => {
        process.once('SIGINT', () => stop())
        process.once('SIGTERM', () => stop())
      })
    }
    return exitCode
  } finally {
    await intake.close()
  }
}

process.exitCode = await main()
