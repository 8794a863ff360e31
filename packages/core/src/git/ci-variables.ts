interface CiSystem {
  /** The name of a variable that only this CI system sets. */
  sign: string
  url(env: NodeJS.ProcessEnv): string | undefined
  commit: string
  tag?: string
  /** Reads the tag if the variable may also contain other values. Returns undefined if no tag is being built. */
  tagIn?(env: NodeJS.ProcessEnv): string | undefined
}

const variable = (name: string) => (env: NodeJS.ProcessEnv) => env[name]
const joined =
  (...parts: string[]) =>
  (env: NodeJS.ProcessEnv) => {
    const values = parts.map((part) => (part.startsWith('https:') ? part : env[part]))
    return values.every(Boolean) ? values.join('/') : undefined
  }

const behind =
  (start: string, name: string) =>
  ({ [name]: value }: NodeJS.ProcessEnv) =>
    value?.startsWith(start) ? value.slice(start.length) : undefined

const VERCEL_HOSTS = new Map<string | undefined, string>([
  ['github', 'https://github.com'],
  ['gitlab', 'https://gitlab.com'],
  ['bitbucket', 'https://bitbucket.org'],
])

/** If several systems match, the first one takes precedence. Sources: each system's documentation of predefined variables. */
const SYSTEMS: readonly CiSystem[] = [
  {
    sign: 'GITHUB_ACTIONS',
    url: joined('GITHUB_SERVER_URL', 'GITHUB_REPOSITORY'),
    commit: 'GITHUB_SHA',
    tag: 'GITHUB_REF_NAME',
    tagIn: ({ GITHUB_REF_TYPE, GITHUB_REF_NAME }) => (GITHUB_REF_TYPE === 'tag' ? GITHUB_REF_NAME : undefined),
  },
  { sign: 'GITLAB_CI', url: variable('CI_PROJECT_URL'), commit: 'CI_COMMIT_SHA', tag: 'CI_COMMIT_TAG' },
  {
    sign: 'BITBUCKET_BUILD_NUMBER',
    url: variable('BITBUCKET_GIT_HTTP_ORIGIN'),
    commit: 'BITBUCKET_COMMIT',
    tag: 'BITBUCKET_TAG',
  },
  { sign: 'CIRCLECI', url: variable('CIRCLE_REPOSITORY_URL'), commit: 'CIRCLE_SHA1', tag: 'CIRCLE_TAG' },
  { sign: 'BUILDKITE', url: variable('BUILDKITE_REPO'), commit: 'BUILDKITE_COMMIT', tag: 'BUILDKITE_TAG' },
  {
    sign: 'JENKINS_URL',
    url: variable('GIT_URL'),
    commit: 'GIT_COMMIT',
    tag: 'TAG_NAME',
    // Systems other than Jenkins may use TAG_NAME differently.
    tagIn: ({ JENKINS_URL, TAG_NAME }) => (JENKINS_URL ? TAG_NAME : undefined),
  },
  { sign: 'TEAMCITY_VERSION', url: () => undefined, commit: 'BUILD_VCS_NUMBER' },
  // Azure Pipelines sets TF_BUILD.
  {
    sign: 'TF_BUILD',
    url: variable('BUILD_REPOSITORY_URI'),
    commit: 'BUILD_SOURCEVERSION',
    tag: 'BUILD_SOURCEBRANCH',
    tagIn: behind('refs/tags/', 'BUILD_SOURCEBRANCH'),
  },
  {
    sign: 'TRAVIS',
    url: joined('https://github.com', 'TRAVIS_REPO_SLUG'),
    commit: 'TRAVIS_COMMIT',
    tag: 'TRAVIS_TAG',
  },
  { sign: 'DRONE', url: variable('DRONE_GIT_HTTP_URL'), commit: 'DRONE_COMMIT_SHA', tag: 'DRONE_TAG' },
  // Woodpecker sets CI_FORGE_TYPE.
  { sign: 'CI_FORGE_TYPE', url: variable('CI_REPO_URL'), commit: 'CI_COMMIT_SHA', tag: 'CI_COMMIT_TAG' },
  // AWS Amplify builds with CodeBuild, so Amplify must come before CodeBuild.
  { sign: 'AWS_CLONE_URL', url: variable('AWS_CLONE_URL'), commit: 'AWS_COMMIT_ID' },
  {
    sign: 'CODEBUILD_BUILD_ID',
    url: variable('CODEBUILD_SOURCE_REPO_URL'),
    commit: 'CODEBUILD_RESOLVED_SOURCE_VERSION',
    tag: 'CODEBUILD_WEBHOOK_TRIGGER',
    tagIn: behind('tag/', 'CODEBUILD_WEBHOOK_TRIGGER'),
  },
  { sign: 'NETLIFY', url: variable('REPOSITORY_URL'), commit: 'COMMIT_REF' },
  {
    sign: 'VERCEL',
    url(env) {
      const host = VERCEL_HOSTS.get(env.VERCEL_GIT_PROVIDER)
      return host && joined(host, 'VERCEL_GIT_REPO_OWNER', 'VERCEL_GIT_REPO_SLUG')(env)
    },
    commit: 'VERCEL_GIT_COMMIT_SHA',
  },
  { sign: 'CF_PAGES', url: () => undefined, commit: 'CF_PAGES_COMMIT_SHA' },
  { sign: 'WORKERS_CI', url: () => undefined, commit: 'WORKERS_CI_COMMIT_SHA' },
]

export function checkoutOfCi(env: NodeJS.ProcessEnv): { url?: string; commit?: string } | undefined {
  const found = SYSTEMS.find(({ sign }) => (env[sign] ?? '') !== '')
  if (!found) return undefined
  const url = found.url(env)
  const commit = env[found.commit]
  return { ...(url && { url }), ...(commit && { commit }) }
}

/** Detects known CI systems and the variable `CI`, which nearly all systems set. `CI=false` turns the detection off. */
export function isInCi(env: NodeJS.ProcessEnv): boolean {
  const { CI = '' } = env
  if (CI === 'false' || CI === '0') return false
  return CI !== '' || checkoutOfCi(env) !== undefined
}

const COMMIT = /^[0-9a-f]{7,64}$/i

/**
 * Returns the tag or commit of the CI build, and the name of the variable that contains it. The variable may also be set outside the CI
 * system, for example in an image that a CI job builds.
 */
export function ciVariable(env: NodeJS.ProcessEnv, of: 'tag' | 'commit'): { name: string; value: string } | undefined {
  for (const system of SYSTEMS) {
    const name = system[of]
    if (name === undefined) continue
    const value = of === 'tag' && system.tagIn ? system.tagIn(env) : env[name]
    if (value && (of === 'tag' || COMMIT.test(value))) return { name, value }
  }
  return undefined
}
