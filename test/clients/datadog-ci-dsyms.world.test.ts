import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { startIntake } from '@symup/intake'
import { expect, it } from 'vitest'
import { post } from '../../packages/intake/src/test-support/client.fixture.ts'
import { ROOT } from '../support/build-fixture.ts'
import { useDirectory } from '../support/directory.ts'
import { needs } from '../support/tool.ts'

const scratch = useDirectory('each')

const DSYM = 'Shop.framework.dSYM'
const CRASH = `Incident Identifier: 1
Thread 0 Crashed:
0   Shop                          \t0x0000000104a3c018 0x104a38000 + 16408
1   Shop                          \t0x0000000104a3c050 0x104a38000 + 16464

Binary Images:
       0x104a38000 -        0x104a43fff +Shop arm64  <4c4c442355553144a1db4b0b3a85b578> /private/var/Shop.app/Shop
`

/** Debian's `llvm-lipo` has its version as a suffix. */
function llvmTool(name: string): string | undefined {
  const files = existsSync('/usr/bin') ? readdirSync('/usr/bin') : []
  const found = files.find((file) => file === `llvm-${name}` || file.startsWith(`llvm-${name}-`))
  return found && join('/usr/bin', found)
}

const tools = { dwarfdump: llvmTool('dwarfdump'), lipo: llvmTool('lipo') }
const llvm = needs('llvm-lipo', tools.lipo !== undefined && tools.dwarfdump !== undefined, 'Debian: llvm')

it.skipIf(!llvm.isThere)(
  `accepts an upload from datadog-ci dsyms upload${llvm.reason}`,
  async () => {
    const intake = await startIntake()
    try {
      const bin = join(scratch, 'bin')
      const symbols = join(scratch, 'symbols')
      mkdirSync(bin)
      cpSync(join(ROOT, 'fixtures/symbols/apple', DSYM), join(symbols, DSYM), { recursive: true })
      for (const [name, path] of Object.entries(tools)) symlinkSync(path as string, join(bin, name))
      const { resolve } = createRequire(import.meta.url)
      const command = join(dirname(resolve('@datadog/datadog-ci/package.json')), 'dist/bundle.js')
      const { stdout } = await promisify(execFile)(process.execPath, [command, 'dsyms', 'upload', symbols], {
        env: {
          ...process.env,
          PATH: `${bin}:${process.env.PATH}`,
          DATADOG_API_KEY: 'dev-api-key',
          DATADOG_DSYM_INTAKE_URL: intake.url,
          DD_BETA_COMMANDS_ENABLED: '1',
          DD_CI_SKIP_VERSION_BANNER: '1',
        },
      })
      expect(stdout).toMatch(/Uploaded|upload/i)
      expect((await intake.uploads()).length).toBeGreaterThan(0)
      const question = { service: 'shop', version: '1.2.3', type: 'ios', stack: CRASH }
      const { data } = await post(intake.url, '/sourcemap/stack/enrich', question)
      expect(data.frames[1]).toMatchObject({
        converted: true,
        function: 'shop::Line::price() const',
        file: './crash.cpp',
        line: 7,
      })
    } finally {
      await intake.close()
    }
  },
  60_000,
)
