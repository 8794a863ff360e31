import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT, sourceArguments } from './build-fixture.ts'

/** A copy of the workspace's sources in a repository of its own, for trying a change. Installed packages are linked, not copied. */
export interface WorkspaceCopy {
  root: string
  read(file: string): string
  /** Applies a patch like `git apply`. */
  apply(patch: string): void
  /** Runs a TypeScript file of the copy from source. @returns its standard output. */
  run(file: string, args?: readonly string[], env?: NodeJS.ProcessEnv): string
  /** Lines added and removed since the copy was made, by file. */
  changes(): { file: string; added: number; removed: number }[]
  remove(): void
}

const COPIED = [
  ...['packages', 'scripts', 'docs', 'package.json', 'tsconfig.json', 'tsconfig.base.json'],
  // The documentation lists the entries of these files.
  ...['test/frameworks/majors.ts', 'test/frameworks/templates.ts', 'test/frameworks/frameworks-table.ts'],
  ...['test/contract/endings-table.ts', 'test/contract/gate-table.ts', 'test/docs/terminal-runs.ts', 'test/support'],
]

export function copyWorkspace(): WorkspaceCopy {
  const root = mkdtempSync(join(tmpdir(), 'symup-workspace-'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=symup', '-c', 'user.email=symup@example.com', ...args], {
      cwd: root,
      encoding: 'utf8',
    })
  const isSource = (path: string) => !/[\\/](?:node_modules|dist)$/.test(path)
  // The documentation reads the versions in the frameworks' fixtures.
  const below = (directory: string, depth: number): string[] => [
    directory,
    ...(depth === 0 ? [] : readdirSync(join(ROOT, directory), { withFileTypes: true }))
      .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
      .flatMap(({ name }) => below(join(directory, name), depth - 1)),
  ]
  for (const fixture of ['frameworks', 'commands'].flatMap((room) => below(join('fixtures', room), 2))) {
    const manifest = join(fixture, 'package.json')
    if (existsSync(join(ROOT, manifest))) cpSync(join(ROOT, manifest), join(root, manifest))
  }
  for (const name of COPIED) cpSync(join(ROOT, name), join(root, name), { recursive: true, filter: isSource })
  linkInstalled(root)
  git('init', '-q')
  git('add', '-A', '--', ...COPIED, ':!**/node_modules')
  git('commit', '-q', '-m', 'The workspace')
  return {
    root,
    read: (file) => readFileSync(join(root, file), 'utf8'),
    apply: (patch) => {
      execFileSync('git', ['apply', '-'], { cwd: root, input: patch })
    },
    run: (file, args = [], env = {}) =>
      execFileSync(process.execPath, [...sourceArguments(), join(root, file), ...args], {
        cwd: root,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    changes: () =>
      git('diff', '--numstat')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const [added, removed, file = ''] = line.split('\t')
          return { file, added: Number(added), removed: Number(removed) }
        }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** Links to packages of the workspace are relative, so they point into the copy. Everything else is used in place. */
function linkInstalled(root: string): void {
  const installed = join(ROOT, 'node_modules')
  mkdirSync(join(root, 'node_modules'))
  for (const name of readdirSync(installed)) {
    const target = join(root, 'node_modules', name)
    if (name === '@symup') cpSync(join(installed, name), target, { recursive: true, verbatimSymlinks: true })
    else symlinkSync(join(installed, name), target)
  }
  for (const name of readdirSync(join(ROOT, 'packages'))) {
    const own = join('packages', name, 'node_modules')
    if (existsSync(join(ROOT, own))) {
      cpSync(join(ROOT, own), join(root, own), { recursive: true, verbatimSymlinks: true })
    }
  }
}

/** The first fenced diff in a section of docs/extending.md. */
export function contributedDiff(section: string): string {
  const page = readFileSync(join(ROOT, 'docs/extending.md'), 'utf8')
  const text = page.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? ''
  const [, diff] = /```diff\n([\s\S]*?)```/.exec(text) ?? []
  if (diff === undefined) throw new Error(`docs/extending.md has no diff in a section "${section}".`)
  return diff
}
