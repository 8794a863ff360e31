import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, lstatSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { appendFile, cp, mkdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../support/build-fixture.ts'
import { execForm, isIgnored, type Step } from './dockerfile.ts'

const run = promisify(execFile)

/** The id of the user `node` in the official image. */
const NODE_USER = 1000
/** Parts of this machine's system that a root needs. The official image is also a Debian with Node. */
const SYSTEM = ['bin', 'lib', 'lib64', 'sbin']
const SETTINGS = [
  'alternatives',
  'ca-certificates',
  'group',
  'hosts',
  'ld.so.cache',
  'nsswitch.conf',
  'passwd',
  'resolv.conf',
  'ssl',
]
/** Environment variables for a network with restricted access. */
const NETWORK = /^(?:https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_(?:file|dir)|npm_config_registry)$/i

/** Why Dockerfile steps cannot run on this machine; '' if they can. */
export function whyNoRoots(): string {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return ' (skipped: needs Linux and root)'
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' })
    return ''
  } catch {
    return ' (skipped: mounts are not permitted)'
  }
}

/** The result of a Dockerfile stage: a directory that is the root of its commands, and how to start it. */
export interface Image {
  root: string
  workdir: string
  env: Record<string, string>
  user: string
  entrypoint: string[]
  command: string[]
  health: string[]
  volumes: string[]
}

/**
 * Runs the steps of a stage, each `RUN` in a root that contains only this machine's programs (`/usr`, read-only) and has a network.
 * @param built the earlier stages, by name.
 * @throws the output of a failing step, and for unknown instructions.
 */
export async function build(steps: readonly Step[], root: string, built: ReadonlyMap<string, Image>): Promise<Image> {
  const image: Image = {
    root,
    workdir: '/',
    env: {},
    user: 'root',
    entrypoint: [],
    command: [],
    health: [],
    volumes: [],
  }
  await makeRoot(root)
  const within = (path: string) => join(root, resolve(image.workdir, path))
  for (const { instruction, text } of steps) {
    if (instruction === 'FROM') {
      if (!/^node:\d+-slim(?: AS \w+)?$/.test(text)) throw new Error(`no image of Node: ${text}`)
    } else if (instruction === 'WORKDIR') {
      image.workdir = resolve(image.workdir, text)
      await mkdir(join(root, image.workdir), { recursive: true })
    } else if (instruction === 'COPY') {
      const [, stage, from = '', to = ''] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(text) ?? []
      const source = stage === undefined ? undefined : built.get(stage)
      if (source) await cp(join(source.root, from), within(to), { recursive: true })
      else await copyContext(from, within(to))
    } else if (instruction === 'RUN') await runIn(image, text)
    else if (instruction === 'ENV') {
      const [name = '', value = ''] = text.split('=', 2)
      image.env[name] = value
    } else if (instruction === 'USER') image.user = text
    else if (instruction === 'VOLUME') image.volumes.push(text)
    else if (instruction === 'HEALTHCHECK') image.health = execForm(text.replace(/^CMD /, ''))
    else if (instruction === 'ENTRYPOINT') image.entrypoint = execForm(text)
    else if (instruction === 'CMD') image.command = execForm(text)
    else if (instruction !== 'EXPOSE') throw new Error(`an unknown instruction: ${instruction}`)
  }
  return image
}

/**
 * Starts a program as the image's user, on a read-only root with an in-memory `/tmp`.
 * @param binds directories and files of this machine, by their path for the program; `:ro` makes them read-only.
 */
export function start(
  image: Image,
  command: readonly string[],
  binds: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const { root, workdir, user } = image
  if (user !== 'node') throw new Error(`the image runs as ${user}`)
  const mounts = Object.entries(binds).map(([place, from]) => {
    const [path = '', mode = 'rw'] = place.split(':')
    const to = quoted(join(root, path))
    return `mount --bind ${quoted(from)} ${to}${mode === 'ro' ? ` && mount -o remount,bind,ro ${to}` : ''}`
  })
  const script = [
    `mount --bind ${quoted(root)} ${quoted(root)}`,
    ...systemMounts(root),
    `mount -t tmpfs -o mode=1777 none ${quoted(join(root, 'tmp'))}`,
    ...mounts,
    `mount -o remount,bind,ro ${quoted(root)}`,
    inRoot(image, command, `--userspec=${NODE_USER}:${NODE_USER}`, { HOME: '/home/node', ...env }, workdir),
  ].join(' && ')
  return spawn('unshare', ['--mount', 'sh', '-c', script], { stdio: ['ignore', 'pipe', 'pipe'] })
}

async function makeRoot(root: string): Promise<void> {
  for (const name of ['dev', 'etc', 'home/node', 'proc', 'root', 'usr'])
    mkdirSync(join(root, name), { recursive: true })
  mkdirSync(join(root, 'tmp'), { mode: 0o1777 })
  for (const name of SYSTEM) {
    const own = join('/', name)
    if (existsSync(own) && lstatSync(own).isSymbolicLink()) symlinkSync(readlinkSync(own), join(root, name))
    else if (existsSync(own)) mkdirSync(join(root, name))
  }
  for (const name of SETTINGS) {
    const own = join('/etc', name)
    if (existsSync(own)) cpSync(own, join(root, 'etc', name), { recursive: true, dereference: name === 'resolv.conf' })
  }
  const users = await readFile(join(root, 'etc/passwd'), 'utf8')
  if (!/^node:/m.test(users))
    await appendFile(join(root, 'etc/passwd'), `node:x:${NODE_USER}:${NODE_USER}::/home/node:/bin/sh\n`)
}

/** The files that the build may see: the workspace without the entries in `.dockerignore`. */
async function copyContext(from: string, to: string): Promise<void> {
  const ignored = await readFile(join(ROOT, '.dockerignore'), 'utf8')
  const source = resolve(ROOT, from)
  const filter = (path: string) => path === ROOT || !isIgnored(ignored, relative(ROOT, path))
  await cp(source, to, { recursive: true, filter, verbatimSymlinks: true })
}

async function runIn(image: Image, text: string): Promise<void> {
  const network = Object.fromEntries(Object.entries(process.env).filter(([name]) => NETWORK.test(name)))
  const env = { HOME: '/root', ...(network as Record<string, string>) }
  const { root, workdir } = image
  const [, flags = '', command = ''] = /^((?:--mount=\S+\s+)*)(.*)$/.exec(text) ?? []
  const mounts = [...systemMounts(root), ...cacheMounts(root, flags)]
  const script = [...mounts, inRoot(image, ['sh', '-c', command], '', env, workdir)].join(' && ')
  await run('unshare', ['--mount', 'sh', '-c', script], { maxBuffer: 2 ** 26 }).catch((error) => {
    throw new Error(`${text}\n${error.stdout}\n${error.stderr}`)
  })
}

function systemMounts(root: string): string[] {
  const plain = SYSTEM.filter((name) => existsSync(join('/', name)) && !lstatSync(join('/', name)).isSymbolicLink())
  return [
    ...['usr', ...plain].flatMap((name) => {
      const place = quoted(join(root, name))
      return [`mount --rbind /${name} ${place}`, `mount -o remount,bind,ro ${place}`]
    }),
    `mount --rbind /proc ${quoted(join(root, 'proc'))}`,
    `mount --rbind /dev ${quoted(join(root, 'dev'))}`,
  ]
}

/** The root user's cache is this machine's own, if there is one, so that nothing is downloaded twice. */
function cacheMounts(root: string, flags: string): string[] {
  return [...flags.matchAll(/--mount=type=cache,target=\/root\/(\S+)/g)].flatMap(([, name = '']) => {
    const own = join(homedir(), name)
    if (!existsSync(own)) return []
    const place = join(root, 'root', name)
    mkdirSync(place, { recursive: true })
    return [`mount --bind ${quoted(own)} ${quoted(place)}`]
  })
}

/** Uses `exec` everywhere, so that the starter's child is the program itself. */
function inRoot(
  { root, env: own }: Image,
  command: readonly string[],
  who: string,
  env: Readonly<Record<string, string>>,
  workdir: string,
): string {
  const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  const all = Object.entries({ PATH, ...own, ...env }).map(([name, value]) => `${name}=${value}`)
  const words = ['env', '-i', '-C', workdir, ...all, ...command].map(quoted).join(' ')
  return `exec chroot ${who} ${quoted(root)} ${words}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
