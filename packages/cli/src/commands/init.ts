import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { EXIT } from '@symup/core/internal'
import { detectBuildTool } from '../build-tools.ts'

export interface InitFlags {
  service?: string
  endpoint?: string
  cwd?: string
  force?: boolean
}

const CONFIG_FILE = 'symup.json'

/** `symup init`: writes a minimal `symup.json` and prints what to add to the build. 0 when written, 2 when one is there already. */
export function runInit(flags: InitFlags): number {
  const cwd = resolve(flags.cwd ?? '.')
  const path = join(cwd, CONFIG_FILE)
  if (existsSync(path) && flags.force !== true) {
    process.stderr.write(`${CONFIG_FILE} is there already; --force writes a new one.\n`)
    return EXIT.unusable
  }
  const service = flags.service ?? serviceName(cwd)
  // The key stays out: this file is committed.
  const config = { service, ...(flags.endpoint !== undefined && { endpoint: flags.endpoint }) }
  writeFileSync(path, `${JSON.stringify(config, null, 2)}\n`)
  const tool = detectBuildTool(readdirSync(cwd), dependencies(cwd))
  const lines = [
    `Wrote ${CONFIG_FILE}: service ${service}. It is meant to be committed; the API key is not in it.`,
    '',
    `Found: ${tool.name}${tool.evidence === undefined ? '' : ` (${tool.evidence})`}`,
    ...(tool.install === undefined ? [] : ['', `  ${tool.install}`]),
    '',
    ...tool.snippet.split('\n').map((line) => (line === '' ? '' : `  ${line}`)),
    '',
    'Then set SYMUP_API_KEY in the environment of the build, and try it with: symup doctor',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  return EXIT.ok
}

interface Manifest {
  name?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

function manifestOf(cwd: string): Manifest {
  try {
    return JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'))
  } catch {
    return {}
  }
}

function serviceName(cwd: string): string {
  return manifestOf(cwd).name ?? basename(cwd)
}

function dependencies(cwd: string): Set<string> {
  const { dependencies = {}, devDependencies = {} } = manifestOf(cwd)
  return new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)])
}
