import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { type Inferred, type Problem, problem } from '@symup/core'
import { t } from '@symup/core/text'
import { type FieldName, type GradleBuild, parseGradleBuild, valueFor } from './gradle-build.ts'
import { FLAVORS, MAX_SCRIPT, readOtherScripts, SCRIPTS } from './other-scripts.ts'
import { variantOfMappingPath, variantsOfLibraries } from './variant.ts'

export interface ModuleQuestion {
  /** The base directory for relative paths. The build script is `build.gradle(.kts)` in this directory or in `app/`. */
  cwd: string
  /** Path of the build script, or of the module or project directory, as specified by the user. */
  gradle?: string
  variant?: string
  /** Whether to use the service and version of any variant if several variants were uploaded. Default: false. */
  anyVariant?: boolean
  /** The mapping file. The name of its directory contains the variant. */
  mappingFile?: string
  /** The directories of libraries. The names of these directories may also contain the variant. */
  libraries?: readonly string[]
}

/** Facts about an Android module that can be determined without running Gradle. */
export interface ModuleFacts {
  variant?: string
  service?: Inferred
  version?: Inferred
  versionCode?: Inferred
  directory?: string
  problems: Problem[]
  /** Problems with values in the script that cannot be evaluated. They are reported only if there is no other source for the value. */
  expressions: Partial<Record<'service' | 'version' | 'versionCode', Problem>>
}

/** Reads facts about a module. Never throws. Unknown facts are omitted, and the reasons are reported as problems. */
export async function readModuleFacts(question: ModuleQuestion): Promise<ModuleFacts> {
  const facts: ModuleFacts = { problems: [], expressions: {} }
  const named = question.variant ?? variantOfPaths(question, facts.problems)
  if (named !== undefined) facts.variant = named
  if (facts.problems.length > 0) return facts
  const script = findScript(question, facts.problems)
  // Without a build script, assume that the project has no flavors.
  if (script === undefined && question.gradle === undefined) return { ...facts, variant: facts.variant ?? 'release' }
  if (script === undefined) return withVariant(facts)
  facts.directory = dirname(script)
  const shown = relative(question.cwd, script) || script
  let build: GradleBuild & { source: string }
  try {
    build = await readBuild(script, question.cwd)
  } catch (error) {
    const why = (error as Error).message.split('\n')[0]?.slice(0, 200)
    facts.problems.push(problem('gradle-unreadable', t`symup cannot parse the build script (${why}).`, { file: shown }))
    return withVariant(facts)
  }
  const variant = chooseVariant(build, named ?? (question.anyVariant ? releaseOf(build) : undefined), shown, facts)
  if (variant !== undefined) take(build, variant, shown, facts)
  return facts
}

function variantOfPaths({ cwd, mappingFile, libraries }: ModuleQuestion, problems: Problem[]): string | undefined {
  if (mappingFile !== undefined) return variantOfMappingPath(resolve(cwd, mappingFile))
  const names = [...new Set((libraries ?? []).flatMap((path) => variantsOfLibraries(resolve(cwd, path))))]
  if (names.length < 2) return names[0]
  problems.push(
    problem('variant-missing', t`The directories belong to several variants: ${names.join(', ')}.`, {
      fix: t`Upload each variant with a separate command.`,
    }),
  )
  return undefined
}

async function readBuild(path: string, cwd: string): Promise<GradleBuild & { source: string }> {
  if (statSync(path).size > MAX_SCRIPT) throw new Error(t`the file is larger than 1 MiB`)
  const source = readFileSync(path, 'utf8')
  const build = await parseGradleBuild(source)
  const others = await readOtherScripts(path, cwd)
  const hidden = build.hiddenFlavors ?? (others.flavors && t`the flavors in ${others.flavors}`)
  return { ...build, source, otherScripts: others.fields, ...(hidden !== undefined && { hiddenFlavors: hidden }) }
}

/** Matches the app's block in any form, such as `android {`, `android.defaultConfig {` or `configure<ApplicationExtension> {`. */
const ANDROID_BLOCK =
  /(?<![.\w])android\s*(?:\.[\w.]+\s*)?\{|\b(?:Application|BaseAppModule|App)Extension\b|["']android["']/

function findScript({ cwd, gradle }: ModuleQuestion, problems: Problem[]): string | undefined {
  const path = resolve(cwd, gradle ?? '.')
  if (gradle !== undefined && statSync(path, { throwIfNoEntry: false })?.isFile()) return path
  const inModule = (below: string) => SCRIPTS.map((name) => join(path, below, name)).filter((file) => existsSync(file))
  // If convention plugins configure the app, no script contains an android block, so the script in `app/` is used.
  const script =
    [...inModule(''), ...inModule('app')].find((file) => ANDROID_BLOCK.test(readFileSync(file, 'utf8'))) ??
    inModule('app')[0]
  if (script === undefined && gradle !== undefined) {
    const message = t`Neither this directory nor app/ contains a ${SCRIPTS.join(' or ')} file with an android block.`
    problems.push(problem('gradle-unreadable', message, { file: gradle, severity: 'error' }))
  }
  return script
}

function releaseOf({ flavors: [first] }: GradleBuild): string {
  return first === undefined ? 'release' : `${first}Release`
}

function chooseVariant(
  build: GradleBuild & { source: string },
  named: string | undefined,
  script: string,
  facts: ModuleFacts,
) {
  const { hiddenFlavors: hidden, flavors } = build
  const isPlain = flavors.length === 0 && hidden === undefined
  const name = named ?? (isPlain ? 'release' : undefined)
  if (name === undefined) {
    const start = hidden?.replace(/\s*\{$/, '') ?? ''
    const at = lineOf(
      build.source,
      (line) => line.includes(start),
      (line) => FLAVORS.test(line),
    )
    const message =
      hidden === undefined
        ? t`${script} defines flavors (${flavors.join(', ')}), so the app has several variants.`
        : t`${script + at} may define flavors that only Gradle can evaluate (${shortened(hidden)}), so the variants are unknown.`
    facts.problems.push(
      problem('variant-missing', message, { fix: t`Specify the build variant, for example --variant freeRelease.` }),
    )
    return undefined
  }
  facts.variant = name
  const isKnown = isPlain || hidden !== undefined || flavors.some((it) => name.startsWith(it))
  if (isKnown) return name
  const message = t`${script} does not define a flavor for the variant "${name}", so symup does not use any values from this file. Defined flavors: ${flavors.join(', ')}.`
  facts.problems.push(problem('variant-unknown', message, { file: script }))
  return undefined
}

function take(
  { source, ...build }: GradleBuild & { source: string },
  variant: string,
  script: string,
  facts: ModuleFacts,
): void {
  const settle = (key: 'service' | 'version' | 'versionCode', field: FieldName) => {
    const value = valueFor(build, field, variant)
    if (value === undefined) return
    if ('literal' in value) {
      facts[key] = { value: value.literal, from: t`${field} in ${script}` }
      return
    }
    const sets = (line: string) => new RegExp(`\\b(?:set)?${field}\\b`, 'i').test(line)
    const at = lineOf(source, (line) => sets(line) && line.includes(value.expression), sets)
    facts.expressions[key] = expressionProblem(field, value.expression, script + at)
  }
  settle('service', 'applicationId')
  settle('version', 'versionName')
  settle('versionCode', 'versionCode')
}

/** Returns a suffix such as `:12` with the number of the line that matches the first test with a match. */
function lineOf(source: string, ...tests: ((line: string) => boolean)[]): string {
  const lines = source.split('\n')
  const line = tests.map((test) => lines.findIndex(test)).find((index) => index !== -1)
  return line === undefined ? '' : `:${line + 1}`
}

function expressionProblem(field: string, expression: string, file: string): Problem {
  const message = t`Only Gradle can evaluate ${field}: ${shortened(expression)}.`
  return problem('gradle-expression', message, { file })
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

function withVariant(facts: ModuleFacts): ModuleFacts {
  if (facts.variant === undefined) facts.problems.push(problem('variant-missing', t`The variant is unknown.`))
  return facts
}
