// Runs a workspace script from source on a machine that has only Node and npm. Installs the locked dependencies if they are missing. Then
// starts a TypeScript file, or a command such as `vitest`, with the `symup-source` condition. Node then loads the workspace packages from
// `src/`, so they need not be built first.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const [target = '', ...args] = process.argv.slice(2)

// pnpm keeps a copy of the lock file from the last installation. If both files are identical, all dependencies are installed.
const wanted = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')
const installedLock = join(root, 'node_modules/.pnpm/lock.yaml')
if (!existsSync(installedLock) || readFileSync(installedLock, 'utf8') !== wanted) {
  console.error('Installing the locked dependencies (once) …')
  const install = spawnSync('npx', ['-y', 'pnpm@12', 'install', '--frozen-lockfile', '--reporter=append-only'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (install.status !== 0) process.exit(install.status ?? 1)
}

const require = createRequire(join(root, 'package.json'))
const nodeArgs = ['--conditions=symup-source']
if (target.endsWith('.ts')) {
  nodeArgs.push('--import', pathToFileURL(require.resolve('tsx')).href, join(root, target))
} else {
  // Some packages do not export their package.json file.
  const directory = join(root, 'node_modules', target)
  const { bin } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  nodeArgs.push(join(directory, typeof bin === 'string' ? bin : bin[target]))
}
const child = spawnSync(process.execPath, [...nodeArgs, ...args], { cwd: root, stdio: 'inherit' })
process.exit(child.status ?? 1)
