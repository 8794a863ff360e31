import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askGitSync } from './ask.ts'
import { findRepository } from './repository.ts'

const hasGit = spawnSync('git', ['--version']).status === 0
const isSkipped = process.platform === 'win32' || (!hasGit && !process.env.CI)

let directory: string
let ran: string
let program: string
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'symup-hostile-git-')))
  ran = join(directory, 'ran')
  program = join(directory, 'program.sh')
  writeFileSync(program, `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 })
  for (const name of ['a', 'b']) mkdirSync(join(directory, 'tree', name), { recursive: true })
  for (const name of ['a', 'b']) writeFileSync(join(directory, 'tree', name, 'file.ts'), name)
  git('init', '-q')
  git('add', '-A')
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'first')
})
afterEach(() => rmSync(directory, { recursive: true }))

const env = { PATH: process.env.PATH, HOME: process.env.HOME, GIT_CEILING_DIRECTORIES: tmpdir() }
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: join(directory, 'tree'), encoding: 'utf8', env: { ...env, LC_ALL: 'C' } }).trim()
const askAll = async () => {
  const tree = join(directory, 'tree')
  askGitSync(tree, env, ['rev-parse', 'HEAD'])
  return (await findRepository(tree, env)).repository
}

/** Makes git fetch the tree of `b` from a remote when it lists files: the index contains the directory instead of its files. */
function leaveOutTree(): void {
  const tree = git('rev-parse', 'HEAD:b')
  git('sparse-checkout', 'init', '--cone', '--sparse-index')
  git('sparse-checkout', 'set', 'a')
  rmSync(join(directory, 'tree/.git/objects', tree.slice(0, 2), tree.slice(2)), { force: true })
  git('config', 'core.repositoryFormatVersion', '1')
  git('config', 'extensions.partialClone', 'evil')
  git('config', 'remote.evil.promisor', 'true')
}

/** Every key in `.git/config` that makes a git command start a program, according to git's manual. */
const KEYS = [
  'alias.ls-files',
  'alias.rev-parse',
  'core.alternateRefsCommand',
  'core.askPass',
  'core.editor',
  'core.fsmonitor',
  'core.gitProxy',
  'core.pager',
  'core.sshCommand',
  'credential.helper',
  'diff.external',
  'diff.x.command',
  'diff.x.textconv',
  'filter.x.clean',
  'filter.x.process',
  'filter.x.smudge',
  'gpg.program',
  'gpg.ssh.program',
  'gpg.ssh.defaultKeyCommand',
  'gpg.x509.program',
  'interactive.diffFilter',
  'man.x.cmd',
  'merge.x.driver',
  'mergetool.x.cmd',
  'pager.config',
  'pager.ls-files',
  'pager.rev-parse',
  'remote.evil.receivepack',
  'remote.evil.uploadpack',
  'sendemail.sendmailCmd',
  'sequence.editor',
  'ssh.variant',
  'submodule.x.update',
  'trailer.x.cmd',
  'trailer.x.command',
  'uploadpack.packObjectsHook',
  'browser.x.cmd',
] // prettier-ignore

describe.skipIf(isSkipped)('a .git/config that someone else wrote', () => {
  it('starts no program through any of its keys', async () => {
    for (const key of KEYS) git('config', key, key.startsWith('alias.') ? `!${program}` : program)
    writeFileSync(join(directory, 'tree/.gitattributes'), '* filter=x diff=x merge=x\n')
    expect((await askAll()).trackedFiles).toEqual(['a/file.ts', 'b/file.ts'])
    expect(existsSync(ran)).toBe(false)
  })

  it('does not start a git program from the repository, even if the search path includes the working directory', async () => {
    writeFileSync(join(directory, 'tree/git'), readFileSync(program), { mode: 0o755 })
    const { repository } = await findRepository(join(directory, 'tree'), { ...env, PATH: `.:${env.PATH}` })
    expect(existsSync(ran)).toBe(false)
    expect(repository.trackedFiles).toEqual(['a/file.ts', 'b/file.ts'])
  })

  it('starts no hook', async () => {
    const hooks = join(directory, 'hooks')
    mkdirSync(hooks)
    for (const name of readdirSync(join(directory, 'tree/.git/hooks')))
      writeFileSync(join(hooks, name.replace('.sample', '')), `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 })
    writeFileSync(join(hooks, 'post-index-change'), `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 })
    git('config', 'core.hooksPath', hooks)
    await askAll()
    expect(existsSync(ran)).toBe(false)
  })

  it.each<[string, Record<string, string>]>([
    ['a local path with an upload program', { url: '/nowhere', uploadpack: `PROGRAM;` }],
    [
      'a local path with an upload program and an allowed protocol',
      { url: 'file:///nowhere', uploadpack: `PROGRAM;`, allow: 'file' },
    ],
    ['a URL that is a command', { url: 'ext::PROGRAM', allow: 'ext' }],
    ['a server with a program as its ssh command', { url: 'ssh://example.invalid/a', ssh: 'PROGRAM', allow: 'ssh' }],
    ['a remote helper', { url: 'https://example.invalid/a', vcs: 'ext', allow: 'ext' }],
  ])('fetches no missing objects from %s', async (_name, { url = '', uploadpack, allow, ssh, vcs }) => {
    leaveOutTree()
    const set = (key: string, value?: string) => value && git('config', key, value.replace('PROGRAM', program))
    set('remote.evil.url', url)
    set('remote.evil.uploadpack', uploadpack)
    set('remote.evil.vcs', vcs)
    set('core.sshCommand', ssh)
    if (allow) set(`protocol.${allow}.allow`, 'always')
    await askAll()
    expect(existsSync(ran)).toBe(false)
  })
})
