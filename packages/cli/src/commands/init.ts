import { spawn } from 'node:child_process'
import { join, posix, resolve } from 'node:path'
import { EXIT, problem, unreadable } from '@symup/core'
import { didYouMean } from '@symup/core/internal'
import { t, translated } from '@symup/core/text'
import { CommandFailure } from '../failure.ts'
import { ask, askApp, confirmed } from '../init/ask.ts'
import { appsIn } from '../init/monorepo.ts'
import { otherUploaderNotes } from '../init/other-uploaders.ts'
import { CONFIG_FILE, configChange, renderChanges, withVersion } from '../init/plan.ts'
import { installCommand, type Project, readProject } from '../init/project.ts'
import type { Change, Setup, Tool } from '../init/tool.ts'
import { detectTools, TOOLS } from '../init/tools.ts'
import { writeChanges } from '../init/write.ts'
import { printLines } from '../terminal.ts'

export interface InitFlags {
  yes?: boolean
  dryRun?: boolean
  service?: string
  endpoint?: string
  minifiedPathPrefix?: string
  tool?: string
  install?: boolean
  force?: boolean
  cwd?: string
}

/**
 * Runs `symup init`, which detects the build tool, shows the changes that are necessary to upload after builds, and makes them. On a
 * terminal, the command asks for confirmation. Otherwise, `--yes` is required.
 * @returns 0 if the project is set up, 1 if the user declined, or 2 if there is no terminal and `--yes` is not set.
 * @throws CommandFailure
 */
export async function runInit(flags: InitFlags): Promise<number> {
  const cwd = resolve(flags.cwd ?? '.')
  const asks = Boolean(process.stdin.isTTY && process.stdout.isTTY && !flags.yes && !flags.dryRun)
  const plan = await planOf(flags, cwd, asks)
  if (!plan) return nothingWritten()
  const { project, setup, app, changes, isSetUp } = plan
  print(plan.found, ...(changes.length > 0 ? ['', renderChanges(changes)] : []))
  if (isSetUp)
    print(t`The project is already set up, so ${CONFIG_FILE} was not changed. Pass --force to overwrite the file.`)
  if (changes.length === 0) {
    print(t`No changes are necessary.`)
    return EXIT.ok
  }
  const left = { app, guessed: plan.guessed, missing: missingIn(project, setup) }
  if (flags.dryRun) {
    print(...nextSteps(project, setup, left), '', t`Nothing was written because of --dry-run.`)
    return EXIT.ok
  }
  if (!asks && !flags.yes) {
    const fix = t`To write these changes, pass --yes.`
    throw new CommandFailure([
      problem('command-invalid', t`Nothing was written because init needs a terminal to ask for confirmation.`, {
        fix,
      }),
    ])
  }
  if (asks && !(await confirmed(t`Write these changes?`))) return nothingWritten()
  writeChanges(changes, cwd)
  printLines([{ severity: 'good', text: t`Wrote ${changes.map(({ path }) => path).join(', ')}.` }], process.stdout)
  const hasAll = await install(project, setup, flags.install ?? false, asks)
  print(...nextSteps(project, setup, { ...left, missing: hasAll ? [] : left.missing }))
  return EXIT.ok
}

interface InitPlan {
  project: Project
  setup: Setup
  /** Directory of the app, relative to the working directory. */
  app: string
  found: string
  changes: Change[]
  /** Whether `symup.json` already exists, in which case it is not changed. */
  isSetUp: boolean
  /** The guessed prefix. Undefined if the user set or confirmed a prefix. */
  guessed: string | undefined
}

/** @returns undefined if the user cancelled. */
async function planOf(flags: InitFlags, cwd: string, asks: boolean): Promise<InitPlan | undefined> {
  const whole = projectIn(cwd)
  const app = flags.tool === undefined ? await appIn(whole, asks) : '.'
  if (app === undefined) return undefined
  const project = app === '.' ? whole : projectIn(join(cwd, app))
  const isSetUp = project.files.includes(CONFIG_FILE) && !flags.force
  const candidates = detectTools(project)
  const given = { service: flags.service, minifiedPathPrefix: flags.minifiedPathPrefix, tool: namedTool(flags.tool) }
  const setUp = (tool: Tool) => tool.setUp(project)
  const decided =
    asks && !isSetUp
      ? await ask(project, candidates, setUp, given)
      : { ...given, tool: given.tool ?? candidates[0]?.tool }
  if (!decided?.tool) return undefined
  const { tool } = decided
  const setup = setUp(tool)
  const config = isSetUp ? [] : configChange(project, setup, { ...decided, endpoint: flags.endpoint })
  const own = withVersion(project, setup, [...config, ...setup.changes])
  const sign = candidates.find((it) => it.tool === tool)?.evidence
  const evidence = app === '.' || !sign ? sign : `${app}: ${sign}`
  return {
    project,
    setup,
    app,
    isSetUp,
    found:
      tool.id === 'other'
        ? t`No build tool with a symup plugin was found.`
        : t`Found: ${translated(tool.name)}${evidence ? t` (${evidence})` : ''}`,
    changes: own.map((change) => ({ ...change, path: posix.join(app, change.path) })),
    guessed: decided.minifiedPathPrefix === undefined ? setup.minifiedPathPrefix : undefined,
  }
}

function projectIn(cwd: string): Project {
  try {
    return readProject(cwd)
  } catch (error) {
    const fix = t`Run the command in the project directory.`
    throw new CommandFailure([unreadable('directory-unreadable', error, { file: cwd, fix })])
  }
}

/** Returns the app's directory, which is `.` for the project itself. */
async function appIn(whole: Project, asks: boolean): Promise<string | undefined> {
  const apps = await appsIn(whole)
  if (apps === undefined) return '.'
  const [app, another] = apps
  if (!app && detectTools(whole)[0]?.tool.id === 'other') {
    const message = t`This directory is the root of a monorepo, but init does not support the tools that build its packages.`
    const fix = t`Run symup init --cwd <package directory>. To set up the root itself, pass --tool.`
    throw new CommandFailure([problem('command-invalid', message, { fix })])
  }
  if (!another) return app?.directory ?? '.'
  if (asks) return askApp(apps)
  const message = t`This directory is the root of a monorepo with ${apps.length} apps, but init sets up one app at a time.`
  const named = apps.map(({ directory, tool }) => `${directory} (${translated(tool.name)})`)
  throw new CommandFailure([
    problem('command-invalid', message, {
      fix: t`Run symup init --cwd <app> for one of these apps: ${named.join(', ')}.`,
    }),
  ])
}

function namedTool(id: string | undefined): Tool | undefined {
  if (id === undefined) return undefined
  const tool = TOOLS.find((it) => it.id === id)
  if (tool) return tool
  const ids = TOOLS.map((it) => it.id)
  const message = t`Unknown tool "${id}".` + didYouMean(id, ids)
  throw new CommandFailure([
    problem('command-invalid', message, { fix: t`Allowed values for --tool: ${ids.join(', ')}.` }),
  ])
}

const missingIn = ({ dependencies }: Project, { packages }: Setup) => packages.filter((name) => !dependencies.has(name))

async function install(project: Project, setup: Setup, isWanted: boolean, asks: boolean): Promise<boolean> {
  const missing = missingIn(project, setup)
  if (missing.length === 0) return true
  const command = installCommand(project, missing)
  if (!isWanted && !(asks && (await confirmed(t`Install now? ${command.join(' ')}`)))) return false
  const [program = '', ...args] = command
  const exitCode = await new Promise<number | null>((done) => {
    const child = spawn(program, args, { cwd: project.cwd, stdio: 'inherit', shell: process.platform === 'win32' })
    child.once('error', () => done(null))
    child.once('close', done)
  })
  if (exitCode === 0) return true
  printLines(
    [{ severity: 'error', text: t`${command.join(' ')} failed (${exitCode ?? t`the command did not start`}).` }],
    process.stderr,
  )
  return false
}

interface Left {
  app: string
  guessed: string | undefined
  missing: readonly string[]
}

function nextSteps(project: Project, setup: Setup, { app, guessed, missing }: Left): string[] {
  // Yarn may store packages in archives that npx cannot read. However, only npx downloads a command that is not installed.
  const hasCommand = project.dependencies.has('symup') || setup.packages.includes('symup')
  const isOfYarn = project.packageManager === 'yarn' && hasCommand
  const steps = [
    ...(app === '.' ? [] : [['cd', app].join(' ')]),
    ...(setup.byHand === undefined ? [] : [setup.byHand]),
    ...(missing.length === 0 ? [] : [installCommand(project, missing).join(' ')]),
    ...(guessed === '/'
      ? [
          t`If the output is not deployed at the root of its host, set minifiedPathPrefix in ${CONFIG_FILE} to its URL or path.`,
        ]
      : []),
    t`Set SYMUP_API_KEY in the environment of the build. Never commit the key.`,
    ...project.ci.map(({ name, step }) => t`In ${name}: ${translated(step)}`),
    ...(setup.notes ?? []).map(translated),
    ...otherUploaderNotes(project),
    t`To check the settings and the key, run: npx symup doctor`,
  ].map((step) => (isOfYarn ? step.replaceAll(/npx(?= symup )/g, 'yarn') : step))
  return ['', t`Next steps:`, ...steps.flatMap((step, index) => numbered(step, index + 1))]
}

function numbered(step: string, number: number): string[] {
  const [first = '', ...rest] = step.split('\n')
  return [`  ${number}. ${first}`, ...rest.map((line) => (line === '' ? '' : `     ${line}`))]
}

function nothingWritten(): number {
  print(t`Nothing was written.`)
  return EXIT.incomplete
}

function print(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}
