import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** Commits since the last release, or the last 50 before the first release. */
function newSubjects(): string[] {
  let range = ['--max-count=50']
  try {
    range = [`${git('describe', '--tags', '--abbrev=0')}..HEAD`]
  } catch {
    // A project without a release has no tag.
  }
  return git('log', '--no-merges', '--format=%s', ...range).split('\n')
}

it('writes the subject of each new commit as a capitalized line of at most 72 characters', () => {
  expect(newSubjects().filter((subject) => subject.length > 72 || !/^[A-Z].*[^.]$/.test(subject))).toEqual([])
})
