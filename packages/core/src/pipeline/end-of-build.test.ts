import { expect, it, vi } from 'vitest'
import { endOfBuild } from './end-of-build.ts'
import type { Verdict } from './verdict.ts'

it('prints the summary of an interrupted build, then sends the signal again to stop the bundler', () => {
  const done: string[] = []
  vi.spyOn(process, 'kill').mockImplementation((_, signal) => {
    done.push(String(signal))
    return true
  })
  try {
    const { conclude } = endOfBuild(({ text }) => void done.push(text))
    const summary = { severity: 'error', text: 'Upload failed.' } as const
    const verdict: Partial<Verdict> = { exitCode: 143, summary, problems: [], signal: 'SIGTERM' }
    expect(() => conclude(verdict as Verdict)).toThrow('Upload failed.')
    expect(done).toEqual(['Upload failed.', 'SIGTERM'])
  } finally {
    vi.restoreAllMocks()
  }
})
