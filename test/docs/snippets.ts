import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programOf } from '../../packages/cli/src/program.ts'
import { ROOT } from '../support/build-fixture.ts'

/** A fenced block of a page: `packages/cli/README.md#2` is the page's second block. */
export interface Snippet {
  id: string
  /** The language after the fence. */
  language: string
  text: string
}

/** Every fenced block on every page that users read. */
export function snippets(): Snippet[] {
  return pages().flatMap((page) => {
    const text = readFileSync(join(ROOT, page), 'utf8')
    return [...text.matchAll(/^( *)```(\w*)[^\n]*\n([\s\S]*?)^ *```/gm)].map(
      ([, indent = '', language = '', code = ''], index) => ({
        id: `${page}#${index + 1}`,
        language,
        text: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      }),
    )
  })
}

/** Pages that users read, except pages generated from code. */
export function pages(): string[] {
  const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'docs/*.md', 'packages/*/README.md'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const isGenerated = (file: string) => file.startsWith('docs/reference/') || file === 'docs/problems.md'
  const files = tracked.split('\n').filter((file) => file !== '' && !isGenerated(file))
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...files]
}

type Command = ReturnType<typeof programOf>

/** Every example in the help of a command, with its continued lines. */
export function helpExamples(): string[] {
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)]
  const examples = all(programOf('1.0.0', () => undefined)).flatMap((command) => {
    let help = ''
    command.configureOutput({ writeOut: (text) => (help += text) })
    command.outputHelp()
    const [, block = ''] = /^Examples:\n((?: {2}.*\n)+)/m.exec(`${help}\n`) ?? []
    return block
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.trim())
  })
  return [...new Set(examples.filter((line) => line !== ''))]
}

/** The first blocks of a page in `docs/recipes` whose files a test builds. */
const built = (page: string, blocks: number, test = 'recipes.nightly') =>
  Object.fromEntries(
    Array.from({ length: blocks }, (_, at) => [`docs/recipes/${page}#${at + 1}`, `test/frameworks/${test}.test.ts`]),
  )

/** Blocks that have their own test. */
export const RUN_BY_TESTS: Readonly<Record<string, string>> = {
  ...built('electron.md', 3),
  ...built('module-federation.md', 5),
  ...built('node-servers.md', 2, 'recipes-server.nightly'),
  ...built('parcel.md', 2, 'parcel.world'),
  'docs/recipes/parcel.md#3': 'test/frameworks/recipes.nightly.test.ts',
  ...built('release.md', 4),
  ...built('workers.md', 2, 'recipes-server.nightly'),
  'docs/extending.md#1': 'test/docs/adding.world.test.ts',
  'docs/extending.md#2': 'test/docs/adding.world.test.ts',
  'docs/extending.md#3': 'test/docs/adding-kind.world.test.ts',
  'docs/extending.md#4': 'test/docs/adding.world.test.ts',
  'docs/extending.md#5': 'test/docs/adding.world.test.ts',
  'packages/cli/README.md#2': 'test/e2e/xcode-script.world.test.ts',
  'packages/core/README.md#1': 'test/e2e/own-caller.world.test.ts',
  'packages/intake/README.md#4': 'test/intake/readme-testing.test.ts',
  'docs/intake.md#1': 'test/e2e/inspector/errors.world.test.ts',
  'docs/testing.md#1': 'test/smoke/test-runners.nightly.test.ts',
  'docs/testing.md#2': 'test/smoke/test-runners.nightly.test.ts',
  'docs/testing.md#3': 'test/intake/languages.world.test.ts',
  'docs/testing.md#4': 'test/intake/languages.world.test.ts',
  'docs/testing.md#5': 'test/intake/languages.world.test.ts',
  'docs/testing.md#6': 'test/intake/generated-client.world.test.ts',
  'packages/angular/README.md#1': 'test/frameworks/ng-add.test.ts',
  'packages/angular/README.md#2': 'test/frameworks/frameworks.world.test.ts',
  'packages/parcel-reporter/README.md#1': 'test/smoke/packed.world.test.ts',
  'packages/parcel-reporter/README.md#2': 'test/frameworks/parcel.world.test.ts',
  'packages/parcel-reporter/README.md#3': 'test/frameworks/parcel.world.test.ts',
  'packages/react-native/README.md#1': 'test/smoke/packed.world.test.ts',
  'packages/react-native/README.md#2': 'test/frameworks/react-native.world.test.ts',
  'packages/react-native/README.md#3': 'test/frameworks/react-native.world.test.ts',
  'packages/react-native/README.md#4': 'test/frameworks/react-native.world.test.ts',
  'packages/react-native/README.md#5': 'test/frameworks/react-native.world.test.ts',
  'packages/react-native/README.md#6': 'test/frameworks/react-native.world.test.ts',
  'packages/react-native/README.md#7': 'test/frameworks/react-native.world.test.ts',
  'packages/react-native/README.md#8': 'test/e2e/react-native.world.test.ts',
  'packages/react-native/README.md#9': 'test/e2e/react-native.world.test.ts',
  'packages/react-native/README.md#10': 'test/e2e/react-native.world.test.ts',
  'docs/frameworks.md#1': 'test/frameworks/frameworks.world.test.ts',
  'docs/frameworks.md#2': 'test/frameworks/frameworks.world.test.ts',
  'docs/frameworks.md#3': 'test/frameworks/frameworks.world.test.ts',
  'docs/frameworks.md#4': 'test/frameworks/frameworks.world.test.ts',
  'docs/frameworks.md#6': 'test/frameworks/nativescript.nightly.test.ts',
  'docs/recipes/github-actions.md#1': 'test/docs/recipes.world.test.ts',
  'docs/recipes/github-actions.md#2': 'test/docs/recipes.world.test.ts',
  'docs/recipes/gitlab.md#1': 'test/docs/recipes.world.test.ts',
  'docs/recipes/jenkins.md#1': 'test/docs/recipes.world.test.ts',
  'docs/recipes/monorepo.md#1': 'test/docs/recipes.world.test.ts',
  'docs/recipes/monorepo.md#2': 'test/docs/recipes.world.test.ts',
  'docs/recipes/monorepo.md#3': 'test/docs/recipes.world.test.ts',
  'docs/recipes/monorepo.md#4': 'test/docs/recipes.world.test.ts',
  'docs/recipes/monorepo.md#5': 'test/docs/recipes.world.test.ts',
}

/** Blocks that cannot run on a machine with Node, and the reasons. To add one, raise the number in the test. */
export const CANNOT_RUN: Readonly<Record<string, string>> = {
  'README.md#1': 'the output of `npm start`, with times and ports of that run',
  'packages/android/README.md#1': 'a fragment for an Android project: android.world.test.ts applies the same script',
  'packages/android/README.md#2': 'the same in Kotlin, which needs the Kotlin DSL of a full Gradle distribution',
  'packages/hvigor/README.md#1': 'hvigor comes with DevEco Studio; hvigor.world.test.ts runs the plugin in a stand-in',
  'packages/hvigor/README.md#2': 'hvigor comes with DevEco Studio; hvigor.world.test.ts runs the plugin in a stand-in',
  'packages/mini-program/README.md#1': 'fragments of two files; frameworks.world.test.ts builds with both frameworks',
  'docs/testing.md#7': 'needs a container engine',
  'docs/scale.md#1': 'needs a PostgreSQL server and an S3 store under these names',
}
