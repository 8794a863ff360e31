/** What a CI system says about the checkout that it made. */
export interface CiCheckout {
  /** Name of the CI system. */
  system: string
  url?: string
  commit?: string
}

interface CiSystem {
  system: string
  /** Set by this system and no other. */
  sign: string
  url(env: NodeJS.ProcessEnv): string | undefined
  commit: string
}

const variable = (name: string) => (env: NodeJS.ProcessEnv) => env[name]
const joined =
  (...parts: string[]) =>
  (env: NodeJS.ProcessEnv) => {
    const values = parts.map((part) => (part.startsWith('https:') ? part : env[part]))
    return values.every(Boolean) ? values.join('/') : undefined
  }

/** Sources: each system's page of predefined variables. */
const SYSTEMS: readonly CiSystem[] = [
  {
    system: 'GitHub Actions',
    sign: 'GITHUB_ACTIONS',
    url: joined('GITHUB_SERVER_URL', 'GITHUB_REPOSITORY'),
    commit: 'GITHUB_SHA',
  },
  { system: 'GitLab', sign: 'GITLAB_CI', url: variable('CI_PROJECT_URL'), commit: 'CI_COMMIT_SHA' },
  { system: 'Jenkins', sign: 'JENKINS_URL', url: variable('GIT_URL'), commit: 'GIT_COMMIT' },
  {
    system: 'Bitbucket',
    sign: 'BITBUCKET_BUILD_NUMBER',
    url: variable('BITBUCKET_GIT_HTTP_ORIGIN'),
    commit: 'BITBUCKET_COMMIT',
  },
  { system: 'CircleCI', sign: 'CIRCLECI', url: variable('CIRCLE_REPOSITORY_URL'), commit: 'CIRCLE_SHA1' },
  { system: 'Azure Pipelines', sign: 'TF_BUILD', url: variable('BUILD_REPOSITORY_URI'), commit: 'BUILD_SOURCEVERSION' },
  { system: 'Buildkite', sign: 'BUILDKITE', url: variable('BUILDKITE_REPO'), commit: 'BUILDKITE_COMMIT' },
  {
    system: 'Travis CI',
    sign: 'TRAVIS',
    url: joined('https://github.com', 'TRAVIS_REPO_SLUG'),
    commit: 'TRAVIS_COMMIT',
  },
  { system: 'Drone', sign: 'DRONE', url: variable('DRONE_GIT_HTTP_URL'), commit: 'DRONE_COMMIT_SHA' },
  {
    system: 'AWS CodeBuild',
    sign: 'CODEBUILD_BUILD_ID',
    url: variable('CODEBUILD_SOURCE_REPO_URL'),
    commit: 'CODEBUILD_RESOLVED_SOURCE_VERSION',
  },
  { system: 'Netlify', sign: 'NETLIFY', url: variable('REPOSITORY_URL'), commit: 'COMMIT_REF' },
  {
    system: 'Vercel on GitHub',
    sign: 'VERCEL',
    url: joined('https://github.com', 'VERCEL_GIT_REPO_OWNER', 'VERCEL_GIT_REPO_SLUG'),
    commit: 'VERCEL_GIT_COMMIT_SHA',
  },
]

/** What the CI system that this runs in says, if it is a known one. */
export function checkoutOfCi(env: NodeJS.ProcessEnv): CiCheckout | undefined {
  const found = SYSTEMS.find(({ sign }) => (env[sign] ?? '') !== '')
  if (!found) return undefined
  const url = found.url(env)
  const commit = env[found.commit]
  return { system: found.system, ...(url && { url }), ...(commit && { commit }) }
}
