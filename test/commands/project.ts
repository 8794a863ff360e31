import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../support/build-fixture.ts'
import { writeIn } from '../support/directory.ts'
import { filesBelow } from '../support/files-below.ts'
import { INSTALLED, type Tool } from './tools.ts'

/** The app that every command builds: an entry, a lazy chunk, and a constant that a config may define. */
const APP = {
  'src/main.js': `globalThis.settings = typeof SHOP_KEY === 'undefined' ? '' : SHOP_KEY
document.addEventListener('click', async () => {
  const { total } = await import('./cart.js')
  document.title = String(total([1, 2, 3]))
})
`,
  'src/cart.js': `export function total(prices) {
  if (prices.length === 0) throw new RangeError('an empty cart has no total')
  return prices.reduce((sum, price) => sum + price, 0)
}
`,
}

const GIT = ['-c', 'user.name=Shop', '-c', 'user.email=shop@example.com', '-c', 'init.defaultBranch=main']

/** A user's project in its own directory outside the workspace: their app, config, `node_modules` and repository. */
export interface Project {
  directory: string
  /** The command with its arguments, as a shell would find it. */
  command: readonly string[]
  remove(): Promise<void>
}

/** @param leaks whether the config bundles the API key. */
export function makeProject(tool: Tool, leaks = false): Project {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), `symup-${tool.name}-`)))
  const write = (file: string, text: string) => writeIn(directory, file, text)
  const dependencies = Object.fromEntries(Object.keys(tool.packages).map((name) => [name, '*']))
  const about = { name: 'shop', private: true, version: '1.2.3', type: 'module', dependencies }
  write('package.json', `${JSON.stringify(about)}\n`)
  write('.gitignore', 'node_modules\ndist\n')
  for (const [file, text] of Object.entries({ ...APP, ...tool.files }))
    write(file, withLeak(text, (leaks && tool.leak) || ''))
  linkPackages(directory, tool)
  const git = (...args: string[]) => execFileSync('git', [...GIT, ...args], { cwd: directory })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-q', '-m', 'The shop')
  git('remote', 'add', 'origin', 'https://git.example.com/shop.git')
  return {
    directory,
    command: [...programOf(tool, directory), ...tool.args],
    async remove() {
      // A separate process deletes the directory. In this process, the watch for leaked keys would find the key that was bundled on
      // purpose.
      await promisify(execFile)('rm', ['-rf', directory])
    },
  }
}

function withLeak(text: string, leak: string): string {
  return text.replace(/(, )?\bLEAK\b/, (_, comma = '') => (leak === '' ? '' : comma + leak))
}

/** Links what a package manager would install: the tool's own packages and our plugin. Everything else is below their real locations. */
function linkPackages(directory: string, { packages }: Tool): void {
  const links: [string, string][] = Object.entries(packages).map(([name, installed]) => [
    name,
    join(INSTALLED, 'node_modules', installed),
  ])
  links.push(['@symup/unplugin', join(ROOT, 'packages/unplugin')])
  for (const [name, target] of links) {
    const link = join(directory, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(target, link)
  }
}

function programOf({ bin }: Tool, directory: string): string[] {
  if (typeof bin === 'string') return [bin === 'node' ? process.execPath : bin]
  return [process.execPath, binOf(directory, ...bin)]
}

function binOf(directory: string, packageName: string, command: string): string {
  const place = join(directory, 'node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as { bin: Record<string, string> }
  return join('node_modules', packageName, bin[command] as string)
}

/** Files left by the build, `/`-separated. */
export function outputOf(directory: string): string[] {
  const place = join(directory, 'dist')
  return existsSync(place) ? filesBelow(place) : []
}
