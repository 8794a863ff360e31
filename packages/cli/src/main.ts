#!/usr/bin/env node
import { readFileSync } from 'node:fs'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

// Answered before anything else is loaded.
if (process.argv.length === 3 && ['--version', '-V', '-v'].includes(process.argv[2] as string)) {
  process.stdout.write(`${version}\n`)
} else {
  const [{ outliveOutput }, { runProgram }] = await Promise.all([import('./lost-output.ts'), import('./program.ts')])
  outliveOutput()
  process.exitCode = await runProgram(process.argv.slice(2), version)
}
