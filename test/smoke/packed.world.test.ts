import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { beforeAll, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { useDirectory } from '../support/directory.ts'
import { filesBelow } from '../support/files-below.ts'
import { PUBLISHED } from '../support/published.ts'
import { cleanEnvironment, installAll, packAll, runIn } from './pack.ts'

// Tests the packages as users get them: every package is built, packed, and installed with npm into an empty directory
// outside the workspace.

const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'packages/core/package.json'), 'utf8'))
/** Uses Vite's version in the workspace, because the registry may not contain the dependencies of a newer release yet. */
const { version: VITE } = JSON.parse(readFileSync(join(ROOT, 'node_modules/vite/package.json'), 'utf8'))
/** Maximum kilobytes of each tarball, ten percent above the current size. */
const LIMITS = {
  symup: 228,
  'symup-android': 50,
  'symup-angular': 8,
  'symup-core': 780,
  'symup-demangle': 120,
  'symup-hvigor': 1400,
  'symup-intake': 1040,
  'symup-mini-program': 46,
  'symup-parcel-reporter': 8,
  'symup-react-native': 11,
  'symup-symbolicate': 420,
  'symup-unplugin': 191,
}
const place = useDirectory()
/** The output of npm while it installs all packages. */
let installed: string

const run = (command: string, args: string[], cwd = place) => runIn(cwd, command, args)

beforeAll(async () => {
  const tarballs = await packAll(join(place, 'tarballs'))
  expect(tarballs.length).toBe(PUBLISHED.length)
  installed = installAll(place, [...tarballs, `vite@${VITE}`])
}, 300_000)

it('passes publint for all published packages', async () => {
  for (const name of PUBLISHED) {
    const pkgDir = join(ROOT, 'packages', name)
    const { messages, pkg } = await publint({ pkgDir, strict: true, pack: false })
    expect(messages.map((message) => formatMessage(message, pkg ?? {}))).toEqual([])
  }
})

it.each(Object.entries(LIMITS))('%s contains source maps but no tests or fixtures, in at most %i kB', (name, limit) => {
  const tarball = join(place, 'tarballs', `${name}-${VERSION}.tgz`)
  const files = run('tar', ['tzf', tarball]).trim().split('\n')
  expect(files.filter((file) => /\.(?:test|fixture)\.|test-support/.test(file))).toEqual([])
  const scripts = files.filter((file) => /^package\/dist\/.*\.c?js$/.test(file))
  const unmapped = scripts.filter((file) => !files.includes(`${file}.map`))
  // A file that only re-exports has no code to map.
  const withCode = unmapped.filter((file) =>
    run('tar', ['xzOf', tarball, file])
      .replaceAll(
        /^(?:(?:im|ex)port [^;]*;?|module\.exports = require\(.*|module\.exports\.\w+ = module\.exports|\/\/.*)$/gm,
        '',
      )
      .trim(),
  )
  expect(withCode).toEqual([])
  expect(statSync(tarball).size / 1000).toBeLessThan(limit)
})

it.each(Object.keys(LIMITS))('finds the types of %s however it is imported', (name) => {
  const tarball = join(place, 'tarballs', `${name}-${VERSION}.tgz`)
  // Node 20.19 can require() ES modules. The Gradle script is not a module.
  const options = [
    '--ignore-rules',
    'cjs-resolves-to-esm',
    '--exclude-entrypoints',
    'symup.gradle',
    'app.plugin',
    'app.plugin.js',
  ]
  expect(() => run(join(ROOT, 'node_modules/.bin/attw'), [tarball, ...options])).not.toThrow()
})

it('installs the packages without a warning, and without drivers that only a shared intake needs', () => {
  expect(installed).not.toMatch(/EBADENGINE|deprecated|ERESOLVE|ERR!/)
  for (const name of ['pg', 'minio']) expect(existsSync(join(place, 'node_modules', name))).toBe(false)
})

/** The directories of a package and everything that npm installs with it on this platform. */
function installedWith(directory: string, found = new Set<string>()): Set<string> {
  if (found.has(directory)) return found
  found.add(directory)
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    // Searches like Node: in the package, then in each directory above. Optional dependencies may be for other platforms.
    let from = directory
    while (from !== dirname(from) && !existsSync(join(from, 'node_modules', name))) from = dirname(from)
    const dependency = join(from, 'node_modules', name)
    if (existsSync(dependency)) installedWith(dependency, found)
  }
  return found
}

/** The size of a package's own files. */
function bytesOf(directory: string): number {
  return filesBelow(directory)
    .filter((file) => !dirname(file).includes('node_modules'))
    .reduce((sum, file) => sum + statSync(join(directory, file)).size, 0)
}

it('installs with each package the size that the README states, within ten percent', () => {
  const rows = readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(
    /^\| \[`([^`]+)`\]\(packages\/.*\| +(\d+) +\| +([\d.]+) MB +\|$/gm,
  )
  const stated = Object.fromEntries([...rows].map(([, name, count, size]) => [name, [Number(count), Number(size)]]))
  const actual = Object.keys(LIMITS).map((file) => {
    const name = file.replace(/^symup-/, '@symup/')
    const all = installedWith(join(place, 'node_modules', name))
    const bytes = [...all].reduce((sum, directory) => sum + bytesOf(directory), 0)
    return [name, [all.size, Math.ceil(bytes / 1e5) / 10]] as const
  })
  const isNear = (value: number, output = 0) => Math.abs(value - output) <= output / 10
  const other = actual.filter(([name, values]) => values.some((value, index) => !isNear(value, stated[name]?.[index])))
  expect(other).toEqual([])
})

it('starts the command', () => {
  expect(run('npx', ['symup', '--version'])).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect(run('npx', ['symup', '--help'])).toMatch(/^Commands:\n {2}init /m)
})

/** A project with the packed packages installed, and how to start their programs. */
interface Project {
  directory: string
  env: NodeJS.ProcessEnv
  programOf(name: string): string
}

const PROJECTS: Record<string, () => Project> = {
  npm: () => ({
    directory: place,
    env: cleanEnvironment(),
    programOf: (name) => join(place, 'node_modules/.bin', name),
  }),
  // Yarn keeps packages in archives, and its file handles are not Node's own.
  'Yarn’s Plug’n’Play': () => {
    const directory = mkdtempSync(join(place, 'pnp-'))
    const yarn = (...args: string[]) => run('npx', ['-y', '-p', '@yarnpkg/cli-dist@4', 'yarn', ...args], directory)
    const ours = Object.keys(LIMITS).map((file) => {
      const tarball = join(place, 'tarballs', `${file}-${VERSION}.tgz`)
      return [file.replace(/^symup-/, '@symup/'), `file:${tarball}`]
    })
    const resolutions = Object.fromEntries(ours)
    const devDependencies = { ...resolutions, vite: VITE }
    writeFileSync(join(directory, 'package.json'), JSON.stringify({ type: 'module', devDependencies, resolutions }))
    writeFileSync(join(directory, 'yarn.lock'), '')
    yarn('install', '--no-immutable')
    const options = `--require ${join(directory, '.pnp.cjs')} --experimental-loader ${join(directory, '.pnp.loader.mjs')}`
    return {
      directory,
      env: { ...cleanEnvironment(), NODE_OPTIONS: options, NODE_NO_WARNINGS: '1' },
      programOf: (name) => yarn('bin', name).trim(),
    }
  },
}

it.each(Object.entries(PROJECTS))(
  'uploads a Vite build to the packed intake and explains its stack with the packed command, installed by %s',
  async (_, install) => {
    const { directory, env, programOf } = install()
    const symup = programOf('symup')
    const node = (...args: string[]) =>
      spawnSync(process.execPath, args, {
        cwd: directory,
        encoding: 'utf8',
        env: { ...env, XDG_CACHE_HOME: directory },
      })
    const intake = spawn(process.execPath, [symup, 'intake', '--port', '0'], {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'inherit'],
      env,
    })
    try {
      const firstLine = await new Promise<string>((done) => createInterface(intake.stdout).once('line', done))
      const url = /^symup intake listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(firstLine)?.[1] as string
      expect(url).toBeDefined()
      writeFileSync(join(directory, 'index.html'), '<script type="module" src="./main.ts"></script>')
      writeFileSync(
        join(directory, 'main.ts'),
        "import { large } from './large.ts'\n" +
          'export function failHere(n: number): never {\n  throw new RangeError(String(n))\n}\nif (Math.random() < 2) failHere(Date.now() + large.length)\n',
      )
      // The intake stores small files in its database, so this file is large.
      writeFileSync(join(directory, 'large.ts'), `export const large = '${randomBytes(600_000).toString('base64')}'\n`)
      writeFileSync(
        join(directory, 'vite.config.ts'),
        `import symup from '@symup/unplugin/vite'
         // The polyfill is Vite's own code and needs a document.
         const build = { modulePreload: false, chunkSizeWarningLimit: 2000, sourcemap: 'hidden' }
         const plugins = [symup({ apiKey: 'dev-api-key', endpoint: '${url}', service: 's', version: '1', git: false })]
         export default { build, plugins }`,
      )
      const built = node(programOf('vite'), 'build')
      expect(built.stdout.trimEnd().split('\n').at(-1)).toContain('Uploaded 1 artifact')
      expect(built.stderr + built.stdout).not.toMatch(/\[symup\] (?:warning|error)/)
      const [script] = readdirSync(join(directory, 'dist/assets')).filter((file) => file.endsWith('.js'))
      const thrown = node('-e', `import('./dist/assets/${script}').catch((e) => console.log(e.stack))`).stdout
      writeFileSync(
        join(directory, 'stack.txt'),
        thrown.replaceAll(`file://${directory}/dist`, 'https://shop.example.com'),
      )
      const args = ['explain', 'stack.txt', '--service', 's', '--release-version', '1', '--json']
      for (const from of [
        ['--intake', url, '--app-key', 'dev-app-key'],
        ['--dir', 'dist'],
      ]) {
        const explained = JSON.parse(node(symup, ...args, ...from).stdout)
        expect(explained.frames[0].resolved).toMatchObject({ file: 'main.ts', line: 3, column: 13 })
      }
    } finally {
      const ended = new Promise((done) => intake.once('exit', (code) => done(code)))
      intake.kill('SIGTERM')
      expect(await ended).toBe(0)
    }
  },
  180_000,
)
