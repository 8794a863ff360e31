import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT, sourceArguments } from './build-fixture.ts'
import { type Ended, runToEnd } from './run-to-end.ts'
import { needs } from './tool.ts'

const run = promisify(execFile)
const FIXTURE = join(ROOT, 'fixtures/android-app')
const STANDIN = join(ROOT, 'fixtures/android-standin')
export const SYMUP_GRADLE = join(ROOT, 'packages/android/symup.gradle')
const COMPANION = join(ROOT, 'packages/android/src/companion.ts')
/** Where Debian has the libraries that Gradle consists of. */
export const GRADLE_CLASSES = [
  '/usr/share/gradle/lib/*',
  '/usr/share/gradle/lib/plugins/*',
  '/usr/share/java/groovy-all.jar',
  '/usr/share/java/slf4j-api.jar',
]
const NEEDED = ['gradle', 'javac', 'aapt', 'python3']

/** Whether this machine has the tool chain. */
export function androidTools() {
  const missing = NEEDED.filter((tool) => !onPath(tool))
  if (!existsSync('/usr/share/java/com.android.tools.build.gradle-core.jar')) missing.push('Android Gradle plugin')
  return needs(missing.join(', ') || 'Gradle', missing.length === 0, 'Debian: see fixtures/android-app/README.md')
}

function onPath(tool: string): boolean {
  return (process.env.PATH ?? '').split(':').some((directory) => existsSync(join(directory, tool)))
}

export interface AndroidApp {
  /** Directory of the module `app`. */
  module: string
  /** Replaces the module's `symup { }` block. */
  configure(script: string): void
  /** Runs Gradle without any settings of this machine. */
  gradle(tasks: string[], env?: NodeJS.ProcessEnv): Promise<Ended>
  /** The stack that a variant's minified classes throw. */
  crash(variantDirectory: string): string
  remove(): void
}

/** Copies the fixture and creates its SDK, which takes about 15 s. */
export async function prepareAndroidApp(): Promise<AndroidApp> {
  const directory = mkdtempSync(join(tmpdir(), 'symup-android-'))
  const tools = join(directory, 'tools')
  await run(join(FIXTURE, 'setup.sh'), [tools])
  const root = join(directory, 'shop')
  const module = join(root, 'app')
  cpSync(FIXTURE, root, { recursive: true })
  cpSync(join(tools, 'agp-classpath.txt'), join(root, 'agp-classpath.txt'))
  writeFileSync(join(root, 'local.properties'), `sdk.dir=${join(tools, 'sdk')}\n`)
  for (const abi of ['arm64-v8a', 'armeabi-v7a']) {
    const libraries = join(module, 'src/main/jniLibs', abi)
    mkdirSync(libraries, { recursive: true })
    cpSync(join(ROOT, 'fixtures/symbols/native', abi), libraries, { recursive: true })
  }
  return {
    module,
    configure: (script) =>
      writeFileSync(join(module, 'symup-settings.gradle'), `symup { companion = '${COMPANION}' }\n${script}`),
    gradle: (tasks, env = {}) => runGradle(root, tasks, env),
    crash: (variant) => crash(join(directory, 'harness'), join(tools, 'sdk'), module, variant),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** Debian's Gradle prints these lines for each artifact from its own repository. */
const NOISE = /^(?:\s+at |\s*Couldn't resolve system|java\.lang\.ClassNotFoundException: org\.debian).*\n/gm

/** Runs Gradle with `symup.gradle` and its companion from source, without any settings of this machine. */
async function runGradle(cwd: string, tasks: string[], variables: NodeJS.ProcessEnv): Promise<Ended> {
  const args = ['--offline', '--no-daemon', '--console=plain', ...tasks]
  const env = {
    PATH: process.env.PATH,
    GRADLE_USER_HOME: join(cwd, '.gradle-home'),
    SYMUP_GRADLE,
    SYMUP_COMPANION: COMPANION,
    LC_ALL: 'C.UTF-8',
    NODE_OPTIONS: sourceArguments().join(' '),
    ...variables,
  }
  const ended = await runToEnd('gradle', args, { cwd, env })
  return { ...ended, output: ended.output.replace(NOISE, '') }
}

/** Compiles the stand-in for newer Android plugins. @returns a function that runs Gradle on it. */
export function prepareStandIn() {
  const directory = mkdtempSync(join(tmpdir(), 'symup-standin-'))
  cpSync(STANDIN, directory, { recursive: true })
  const classes = join(directory, 'classes')
  const sources = readdirSync(join(STANDIN, 'plugin/java'), { recursive: true, encoding: 'utf8' })
  const java = sources.filter((file) => file.endsWith('.java')).map((file) => join(STANDIN, 'plugin/java', file))
  execFileSync('javac', ['-nowarn', '-cp', GRADLE_CLASSES.join(':'), '-d', classes, ...java], { stdio: 'pipe' })
  cpSync(join(STANDIN, 'plugin/resources'), classes, { recursive: true })
  const env = { STANDIN_PLUGIN: classes, STANDIN_LIBRARY: join(ROOT, 'fixtures/symbols/native/arm64-v8a/libshop.so') }
  return {
    directory,
    gradle: (tasks: string[], variables: NodeJS.ProcessEnv) => runGradle(directory, tasks, { ...env, ...variables }),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** Classes for a device have no stack maps, so the JVM must not look for them. */
const UNVERIFIED = ['-XX:+UnlockDiagnosticVMOptions', '-XX:-BytecodeVerificationRemote']

function crash(harness: string, sdk: string, module: string, variant: string): string {
  const android = join(sdk, 'platforms/android-29/android.jar')
  execFileSync(
    'javac',
    ['-nowarn', '-XDignore.symbol.file', '-cp', android, '-d', harness, join(FIXTURE, 'Crash.java')],
    {
      stdio: 'pipe',
    },
  )
  const classes = join(module, 'build/intermediates/transforms/proguard', variant, 'jars/3/1f/main.jar')
  try {
    execFileSync('java', [...UNVERIFIED, '-cp', [harness, classes, android].join(':'), 'Crash'], {
      stdio: 'pipe',
      encoding: 'utf8',
    })
  } catch (error) {
    return (error as { stderr: string }).stderr
  }
  throw new Error('the minified classes did not throw')
}

/** The line of a fixture's source file that contains a text. */
export function lineOf(file: string, text: string): number {
  const lines = readFileSync(join(FIXTURE, 'app/src/main/java', file), 'utf8').split('\n')
  const found = lines.findIndex((line) => line.includes(text))
  if (found === -1) throw new Error(`"${text}" is not in ${file}`)
  return found + 1
}
