#!/usr/bin/env node
import { readFileSync } from 'node:fs'

const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
const { version, engines } = JSON.parse(manifest) as { version: string; engines: { node: string } }
const oldest = engines.node.replace('>=', '')

// Handle `--version` first, because old versions of Node cannot load the other modules.
if (process.argv.length === 3 && ['--version', '-V', '-v'].includes(process.argv[2] as string)) {
  process.stdout.write(`${version}\n`)
} else if (process.versions.node.localeCompare(oldest, 'en', { numeric: true }) < 0) {
  process.stderr.write(`symup needs Node ${oldest} or newer; this is ${process.versions.node}.\n`)
  process.exitCode = 2
} else {
  const [{ outliveOutput }, { runProgram }] = await Promise.all([import('./lost-output.ts'), import('./program.ts')])
  outliveOutput()
  process.exitCode = await runProgram(process.argv.slice(2), version)
}
