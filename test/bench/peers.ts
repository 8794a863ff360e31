import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Failed } from './measure.ts'

const run = promisify(execFile)

/**
 * Installs pinned packages next to the workloads, outside the project's lock file, unless they are already installed.
 * @returns a function that resolves modules from there. @throws Failed without a registry.
 */
export async function installed(cache: string, packages: Readonly<Record<string, string>>): Promise<NodeJS.Require> {
  const names = Object.entries(packages).map(([name, version]) => `${name.replace(/[@/]/g, '-')}-${version}`)
  const directory = join(cache, 'peers', names.join('+').replace(/^-/, ''))
  const file = join(directory, 'package.json')
  const manifest = JSON.stringify({ private: true, dependencies: packages })
  const isThere = existsSync(join(directory, 'node_modules/.package-lock.json'))
  if (!isThere || (await readFile(file, 'utf8')) !== manifest) {
    await mkdir(directory, { recursive: true })
    await writeFile(file, manifest)
    try {
      const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps']
      await run('npm', ['install', ...flags], { cwd: directory })
    } catch (error) {
      throw new Failed(`${Object.keys(packages).join(', ')} could not be installed: ${npmCause(error as Error)}`)
    }
  }
  return createRequire(file)
}

/** The cause of an npm failure, without npm's warnings and the address of the registry. */
function npmCause({ message }: Error): string {
  const errors = [...message.matchAll(/^npm error (.+)/gm)].map(([, text = '']) => text)
  const code = errors.find((text) => text.startsWith('code '))?.slice('code '.length)
  if (code === 'E404') return 'the registry does not have it (npm: E404)'
  return `npm: ${(code ?? errors[0] ?? message.split('\n')[0] ?? '').slice(0, 200)}`
}
