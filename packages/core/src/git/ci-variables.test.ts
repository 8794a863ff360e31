import { expect, it } from 'vitest'
import { checkoutOfCi, ciVariable, isInCi } from './ci-variables.ts'

const SHA = 'a'.repeat(40)

it.each([
  [{ GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1' }, 'GITHUB_REF_NAME', 'v1'],
  [{ CI_COMMIT_TAG: 'v2', TRAVIS_TAG: 'v3' }, 'CI_COMMIT_TAG', 'v2'],
  [{ BITBUCKET_TAG: 'v4' }, 'BITBUCKET_TAG', 'v4'],
  [{ CIRCLE_TAG: '', BUILDKITE_TAG: 'v5' }, 'BUILDKITE_TAG', 'v5'],
  [{ DRONE_TAG: 'v6' }, 'DRONE_TAG', 'v6'],
  [{ JENKINS_URL: 'https://ci.example.com', TAG_NAME: 'v7' }, 'TAG_NAME', 'v7'],
  [{ BUILD_SOURCEBRANCH: 'refs/tags/shop/v8' }, 'BUILD_SOURCEBRANCH', 'shop/v8'],
  [{ CODEBUILD_WEBHOOK_TRIGGER: 'tag/v9' }, 'CODEBUILD_WEBHOOK_TRIGGER', 'v9'],
])('finds the tag that CI builds in %o', (env, name, value) => {
  expect(ciVariable(env, 'tag')).toEqual({ name, value })
})

it.each([
  [{ GITHUB_REF_TYPE: 'branch', GITHUB_REF_NAME: 'main' }],
  [{ BUILD_SOURCEBRANCH: 'refs/heads/main' }],
  [{ CODEBUILD_WEBHOOK_TRIGGER: 'branch/main' }],
  // Other CI systems may use this variable for something else.
  [{ TAG_NAME: 'blue' }],
])('finds no tag in %o', (env) => {
  expect(ciVariable(env, 'tag')).toBeUndefined()
})

it.each([
  'GITHUB_SHA',
  'CI_COMMIT_SHA',
  'BITBUCKET_COMMIT',
  'CIRCLE_SHA1',
  'BUILDKITE_COMMIT',
  'GIT_COMMIT',
  'BUILD_SOURCEVERSION',
  'BUILD_VCS_NUMBER',
  'AWS_COMMIT_ID',
  'TRAVIS_COMMIT',
  'DRONE_COMMIT_SHA',
  'CODEBUILD_RESOLVED_SOURCE_VERSION',
  'COMMIT_REF',
  'VERCEL_GIT_COMMIT_SHA',
  'CF_PAGES_COMMIT_SHA',
  'WORKERS_CI_COMMIT_SHA',
])('finds the commit that CI builds, even outside its CI system: %s', (name) => {
  expect(ciVariable({ [name]: SHA }, 'commit')).toEqual({ name, value: SHA })
  expect(ciVariable({ [name]: 'refs/heads/main' }, 'commit')).toBeUndefined()
  // CI variables that describe the checkout count only on the CI system itself.
  expect(checkoutOfCi({ [name]: SHA })).toBeUndefined()
})

it.each([
  [{}, false],
  [{ CI: 'true' }, true],
  [{ CI: '1' }, true],
  [{ CI: '' }, false],
  [{ CI: 'false' }, false],
  [{ CI: 'false', GITHUB_ACTIONS: 'true' }, false],
  [{ JENKINS_URL: 'https://ci.example.com' }, true],
] as const)('%j: detects CI: %s', (env, expected) => {
  expect(isInCi(env)).toBe(expected)
})

it.each([
  ['github', 'https://github.com/acme/shop'],
  ['gitlab', 'https://gitlab.com/acme/shop'],
  ['bitbucket', 'https://bitbucket.org/acme/shop'],
  ['azure', undefined],
  [undefined, undefined],
])('builds the repository URL from the variables of Vercel: %s', (provider, url) => {
  const repository = { VERCEL_GIT_REPO_OWNER: 'acme', VERCEL_GIT_REPO_SLUG: 'shop', VERCEL_GIT_COMMIT_SHA: SHA }
  const checkout = checkoutOfCi({ VERCEL: '1', VERCEL_GIT_PROVIDER: provider, ...repository })
  expect(checkout).toEqual({ commit: SHA, ...(url && { url }) })
})

it.each([
  ['Cloudflare Pages', { CF_PAGES: '1', CF_PAGES_COMMIT_SHA: SHA }],
  ['Cloudflare Workers', { WORKERS_CI: '1', WORKERS_CI_COMMIT_SHA: SHA }],
  ['TeamCity', { TEAMCITY_VERSION: '2025.11', BUILD_VCS_NUMBER: SHA }],
])('reads only the commit from %s', (_, env) => {
  expect(checkoutOfCi(env)).toEqual({ commit: SHA })
})

it.each([
  ['Woodpecker', { CI_FORGE_TYPE: 'forgejo', CI_REPO_URL: 'https://git.example.com/a/b', CI_COMMIT_SHA: SHA }],
  [
    'AWS Amplify, on top of CodeBuild',
    { AWS_CLONE_URL: 'https://git.example.com/a/b', AWS_COMMIT_ID: SHA, CODEBUILD_BUILD_ID: 'x:1' },
  ],
])('reads the repository URL and the commit from %s', (_, env) => {
  expect(checkoutOfCi(env)).toEqual({ commit: SHA, url: 'https://git.example.com/a/b' })
  expect(isInCi(env)).toBe(true)
})
