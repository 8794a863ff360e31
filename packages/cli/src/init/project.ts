import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { inferService } from '@symup/core'
import { phrase } from '@symup/core/text'
import { valueAt } from './edit-json.ts'

interface Manifest {
  name?: string
  version?: string
  type?: string
  packageManager?: string
  engines?: Record<string, string>
  workspaces?: unknown
  exports?: unknown
  module?: unknown
  types?: unknown
  typings?: unknown
  bin?: unknown
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

export interface Project {
  cwd: string
  files: readonly string[]
  manifest: Manifest
  /** The version ranges of all npm dependencies, keyed by name. */
  dependencies: ReadonlyMap<string, string>
  packageManager: 'npm' | 'pnpm' | 'yarn' | 'bun'
  /** CI systems that are configured in the project directory or in a parent directory within the repository. */
  ci: readonly CiSystem[]
  read(path: string): string | undefined
}

interface CiSystem {
  name: string
  /** The step that the user has to add to the CI configuration. */
  step: string
}

const LOCK_FILES: readonly (readonly [string, Project['packageManager']])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
]

const CI: readonly (readonly [string, CiSystem])[] = [
  [
    '.github/workflows',
    {
      name: 'GitHub Actions',
      step: phrase`add a repository secret SYMUP_API_KEY, and in the build step, set env: { SYMUP_API_KEY: \${{ secrets.SYMUP_API_KEY }} }`,
    },
  ],
  ['.gitlab-ci.yml', { name: 'GitLab CI', step: phrase`add a masked CI/CD variable SYMUP_API_KEY` }],
  ['Jenkinsfile', { name: 'Jenkins', step: "environment { SYMUP_API_KEY = credentials('symup-api-key') }" }],
  ['.circleci/config.yml', { name: 'CircleCI', step: phrase`add a project environment variable SYMUP_API_KEY` }],
  [
    'bitbucket-pipelines.yml',
    { name: 'Bitbucket Pipelines', step: phrase`add a secured repository variable SYMUP_API_KEY` },
  ],
  [
    'azure-pipelines.yml',
    {
      name: 'Azure Pipelines',
      step: phrase`add a secret variable SYMUP_API_KEY, and pass it in env of the build step`,
    },
  ],
  [
    'turbo.json',
    {
      name: 'turbo.json',
      step: phrase`add "passThroughEnv": ["SYMUP_API_KEY"] to the build task; note that cached builds do not upload source maps`,
    },
  ],
  [
    'nx.json',
    {
      name: 'Nx',
      step: phrase`pass --skip-nx-cache for release builds, because cached builds do not upload source maps`,
    },
  ],
]

export function readProject(cwd: string): Project {
  const read = (path: string) => {
    try {
      // Tools on Windows may add a byte order mark, which parsers reject.
      return readFileSync(join(cwd, path), 'utf8').replace(/^\uFEFF/, '')
    } catch {
      return undefined
    }
  }
  const manifest = (valueAt(read('package.json'), []) ?? {}) as Manifest
  const places = upwards(cwd)
  const lock = places
    .flatMap((place) => LOCK_FILES.filter(([file]) => existsSync(join(place, file))).map(([, manager]) => manager))
    .at(0)
  const named = /^(npm|pnpm|yarn|bun)@/.exec(String(manifest.packageManager))?.[1] as Project['packageManager']
  return {
    cwd,
    files: readdirSync(cwd).sort(),
    manifest,
    dependencies: new Map(Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })),
    packageManager: named ?? lock ?? 'npm',
    ci: CI.filter(([file]) => places.some((place) => existsSync(join(place, file)))).map(([, system]) => system),
    read,
  }
}

/** Returns the name in package.json or pubspec.yaml, or the name of the directory. */
export function serviceOf({ manifest, cwd, files }: Project): string {
  // Files in parent directories belong to other projects, so they are ignored.
  const own = files.includes('pubspec.yaml') ? inferService(cwd)?.value : undefined
  return manifest.name || own || basename(cwd)
}

export function installCommand({ packageManager }: Project, packages: readonly string[]): string[] {
  const verbs = { npm: ['install', '--save-dev'], pnpm: ['add', '-D'], yarn: ['add', '-D'], bun: ['add', '-d'] }
  return [packageManager, ...verbs[packageManager], ...packages]
}

function upwards(cwd: string): string[] {
  const places = [cwd]
  for (let place = cwd; !existsSync(join(place, '.git')) && dirname(place) !== place; ) {
    place = dirname(place)
    places.push(place)
  }
  // If there is no repository, parent directories do not belong to the project.
  return existsSync(join(places.at(-1) as string, '.git')) ? places : [cwd]
}
