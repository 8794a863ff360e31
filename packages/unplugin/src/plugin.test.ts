import { afterEach, expect, it, vi } from 'vitest'
import { symup } from './plugin.ts'

afterEach(() => vi.restoreAllMocks())

it('says where there are no debug ids, though they are asked for', () => {
  const said: string[] = []
  for (const method of ['log', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((text) => void said.push(String(text)))
  symup.raw({ debugIds: true, service: 's', version: '1' }, { framework: 'farm' } as never)
  expect(said.join('\n')).toContain('debug-ids-unsupported')
  said.length = 0
  symup.raw({ debugIds: true, service: 's', version: '1' }, { framework: 'rollup' } as never)
  expect(said).toEqual([])
})
