import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SymbolUpload } from '../model/plan.ts'
import { attacher } from '../pipeline/preparation.ts'
import { requestBody } from '../send/body.ts'
import { findRepository, publicRemoteUrl } from './repository.ts'
import { TrackedFiles } from './tracked-files.ts'

const hasGit = spawnSync('git', ['--version']).status === 0
// Skips tests that need git if it is missing, except in CI.
const itWithGit = hasGit || process.env.CI ? it : it.skip.bind(it)

let directory: string
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'symup-git-')))
})
afterEach(() => rmSync(directory, { recursive: true }))

/** Removes the variables of the CI system that runs these tests. */
const env = { PATH: process.env.PATH, HOME: process.env.HOME, GIT_CEILING_DIRECTORIES: tmpdir() }

const git = (...args: string[]) => execFileSync('git', args, { cwd: directory, encoding: 'utf8' }).trim()

function write(file: string): void {
  mkdirSync(dirname(join(directory, file)), { recursive: true })
  writeFileSync(join(directory, file), file)
}

function commitAll(remote?: string): string {
  git('init', '-q', '--template=')
  if (remote) appendFileSync(join(directory, '.git/config'), `[remote "origin"]\n\turl = ${remote}\n`)
  git('add', '-A')
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'first')
  const head = readFileSync(join(directory, '.git/HEAD'), 'utf8').replace('ref: ', '').trim()
  return readFileSync(join(directory, '.git', head), 'utf8').trim()
}

describe('the public URL of a repository', () => {
  it.each([
    ['https://github.com/org/app.git', 'https://github.com/org/app.git'],
    ['https://user:s3cret@example.com/org/app', 'https://example.com/org/app'],
    ['https://oauth2-token@example.com:8443/org/app', 'https://example.com:8443/org/app'],
    ['https://example.com/app.git?private_token=s3cret#x', 'https://example.com/app.git'],
    ['ssh://git:s3cret@example.com:22/app.git', 'ssh://git@example.com:22/app.git'],
    ['git@github.com:org/app.git', 'git@github.com:org/app.git'],
    ['git:s3cret@github.com:org/app.git', 'git@github.com:org/app.git'],
    ['/srv/git/app.git', undefined],
    ['C:\\git\\app', undefined],
    ['file:///srv/git/app.git', undefined],
    ['', undefined],
  ])('hides credentials in %s', (remote, expected) => {
    expect(publicRemoteUrl(remote)).toBe(expected)
    expect(publicRemoteUrl(remote) ?? '').not.toContain('s3cret')
  })
})

itWithGit('explains how to make git trust a checkout that another user owns', async () => {
  write('a.js')
  commitAll('https://example.com/org/app')
  const { problems } = await findRepository(directory, { ...env, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' })
  expect(problems).toMatchObject([
    { code: 'git-incomplete', fix: expect.stringContaining(`git config --global --add safe.directory ${directory}`) },
  ])
})

itWithGit('quotes a repository path that contains a space or a quote in the suggested command', async () => {
  const blank = join(directory, "it's here")
  mkdirSync(blank)
  execFileSync('git', ['init', '-q'], { cwd: blank })
  const untrusted = { ...env, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }
  const { problems } = await findRepository(blank, untrusted)
  expect(problems[0]?.fix).toContain(`safe.directory '${directory}/it'\\''s here'`)
})

itWithGit('finds the commit, URL and files of a working tree from a subdirectory', async () => {
  for (const file of ['app/src/main.ts', 'app/src/with space and ü.ts', 'lib/a.ts']) write(file)
  const commit = commitAll('https://me:s3cret@example.com/org/app.git')
  write('app/not-added.ts')
  const { repository, problems } = await findRepository(join(directory, 'app'), env)
  expect(problems).toEqual([])
  expect(repository).toEqual({
    url: 'https://example.com/org/app.git',
    commit,
    root: directory,
    trackedFiles: ['app/src/main.ts', 'app/src/with space and ü.ts', 'lib/a.ts'],
  })
})

itWithGit('reports missing repository information in one line, without an error', async () => {
  const outside = await findRepository(directory, env)
  expect(outside.repository).toEqual({ trackedFiles: [] })
  expect(outside.problems).toMatchObject([{ code: 'git-incomplete', severity: 'info', fix: '' }])
  expect(outside.problems[0]?.message).toContain('(no .git directory in the current directory or its parents)')
  const withoutGit = await findRepository(directory, { ...env, PATH: directory })
  expect(withoutGit.problems[0]?.message).toContain('git is not installed')
  write('a.ts')
  commitAll()
  const withoutRemote = await findRepository(directory, env)
  expect(withoutRemote.problems).toMatchObject([{ message: expect.stringMatching(/^No Git remote found, /) }])
  expect(withoutRemote.repository.trackedFiles).toEqual(['a.ts'])
})

describe('the variables of a CI system', () => {
  const sha = '0123456789abcdef0123456789abcdef01234567'
  it.each([
    [
      { GITHUB_ACTIONS: 'true', GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'o/a', GITHUB_SHA: sha },
      'https://github.com/o/a',
    ],
    [{ GITLAB_CI: 'true', CI_PROJECT_URL: 'https://gitlab.com/o/a', CI_COMMIT_SHA: sha }, 'https://gitlab.com/o/a'],
    [
      { JENKINS_URL: 'https://j', GIT_URL: 'https://u:p@git.example.com/a.git', GIT_COMMIT: sha },
      'https://git.example.com/a.git',
    ],
    [
      { BITBUCKET_BUILD_NUMBER: '1', BITBUCKET_GIT_HTTP_ORIGIN: 'https://bitbucket.org/o/a', BITBUCKET_COMMIT: sha },
      'https://bitbucket.org/o/a',
    ],
    [{ CIRCLECI: 'true', CIRCLE_REPOSITORY_URL: 'git@github.com:o/a.git', CIRCLE_SHA1: sha }, 'git@github.com:o/a.git'],
    [
      { TF_BUILD: 'True', BUILD_REPOSITORY_URI: 'https://o@dev.azure.com/o/a/_git/a', BUILD_SOURCEVERSION: sha },
      'https://dev.azure.com/o/a/_git/a',
    ],
    [{ BUILDKITE: 'true', BUILDKITE_REPO: 'git@github.com:o/a.git', BUILDKITE_COMMIT: sha }, 'git@github.com:o/a.git'],
    [{ TRAVIS: 'true', TRAVIS_REPO_SLUG: 'o/a', TRAVIS_COMMIT: sha }, 'https://github.com/o/a'],
    [
      { DRONE: 'true', DRONE_GIT_HTTP_URL: 'https://git.example.com/a.git', DRONE_COMMIT_SHA: sha },
      'https://git.example.com/a.git',
    ],
    [{ NETLIFY: 'true', REPOSITORY_URL: 'https://github.com/o/a', COMMIT_REF: sha }, 'https://github.com/o/a'],
  ])('uses the variables of a CI system as a fallback: %j', async (variables, url) => {
    const { repository } = await findRepository(directory, { ...env, ...variables })
    expect(repository).toMatchObject({ url, commit: sha })
  })

  itWithGit('are ignored if git has the information', async () => {
    write('a.ts')
    const commit = commitAll('https://example.com/a.git')
    const ci = { GITLAB_CI: 'true', CI_PROJECT_URL: 'https://gitlab.com/o/a', CI_COMMIT_SHA: sha }
    const { repository } = await findRepository(directory, { ...env, ...ci })
    expect(repository).toMatchObject({ url: 'https://example.com/a.git', commit })
  })
})

it('finds the tracked files among the sources in a map, however bundlers name them', () => {
  const trackedFiles = ['web/src/main.ts', 'web/src/cart.ts', 'lib/money.ts', 'web/src/index.js', 'other/index.js']
  const files = new TrackedFiles({ root: '/repo', trackedFiles }, '/repo/web')
  const map = '/repo/web/dist/assets/app.js.map'
  const among = (...sources: string[]) => files.among(sources, map)
  expect(among('../../src/main.ts')).toEqual(['web/src/main.ts'])
  expect(among('../../../lib/money.ts', '../../src/cart.ts?x')).toEqual(['lib/money.ts', 'web/src/cart.ts'])
  expect(among('webpack://shop/./src/main.ts', 'webpack:///./src/cart.ts')).toEqual([
    'web/src/cart.ts',
    'web/src/main.ts',
  ])
  expect(among('src/main.ts')).toEqual(['web/src/main.ts'])
  expect(among('../../node_modules/x/src/main.ts', 'webpack://shop/./node_modules/src/cart.ts')).toEqual([])
  expect(among('index.js', '../../../../../etc/passwd', '', 'webpack/bootstrap', '\0virtual')).toEqual([])
})

it('does not choose between several tracked files whose paths end like the source', () => {
  const trackedFiles = ['p0', 'p1', 'p7'].map((name) => `packages/${name}/src/index.ts`)
  const files = new TrackedFiles({ root: '/repo', trackedFiles }, '/repo/app')
  const sources = ['webpack://x/other/p0x/src/index.ts', 'webpack://x/p7/src/index.ts', 'src/index.ts']
  expect(files.among(sources, '/repo/app/dist/a.js.map')).toEqual(['packages/p7/src/index.ts'])
})

itWithGit('adds the commit and the tracked files to every upload, as a separate part after the files', async () => {
  write('src/main.ts')
  write('dist/app.js')
  write('dist/app.js.map')
  const commit = commitAll('https://example.com/org/app.git')
  const upload: SymbolUpload = {
    event: {
      type: 'js_sourcemap',
      cli_version: '1',
      service: 's',
      version: '1',
      minified_url: '/app.js',
      project_path: '',
    },
    parts: ['source_map', 'minified_file'].map((name) => ({
      name,
      filename: name,
      path: join(directory, 'dist/app.js.map'),
      bytes: 3,
    })),
  }
  const found = await findRepository(directory, env)
  expect(found.problems).toEqual([])
  const attached = attacher(found, directory)(upload, ['../src/main.ts', '../node_modules/a/b.js'])
  expect(attached.event).toMatchObject({
    git_repository_url: 'https://example.com/org/app.git',
    git_commit_sha: commit,
  })
  expect(attached.repository).toEqual({ url: 'https://example.com/org/app.git', commit, files: ['src/main.ts'] })
  const framed = String((await requestBody({ ...attached, encoding: 'identity' }, {}, 1)).content)
  const body = {
    data: [{ files: ['src/main.ts'], hash: commit, repository_url: 'https://example.com/org/app.git' }],
    version: 1,
  }
  expect(framed).toContain(
    `name="repository"; filename="repository"\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(body)}\r\n--`,
  )
})
