import type { ArtifactSource } from '@symup/symbolicate'
import { expect, it } from 'vitest'
import { KnownAnswers } from './known-answers.ts'

/** A source whose only script is of a version that can be changed, and what is found with it. */
function setUp() {
  let version = '1'
  const source = {
    findScripts: async () => [{ path: '/a.js', contentKey: version, locate: () => undefined }],
    miniPrograms: { entriesOf: async () => [version] },
  } as unknown as ArtifactSource
  let found = 0
  const find = async (asked: ArtifactSource) => {
    found++
    const [script] = await asked.findScripts({ service: 's', version: '1' }, ['/a.js'])
    const [entry] = (await asked.miniPrograms?.entriesOf({ service: 's', version: '1' }, 1)) ?? []
    return { answer: `${script?.contentKey} ${entry}` }
  }
  const answers = new KnownAnswers()
  let asked = 0
  const ask = (key = 'question', lasts = true, revision = String(++asked)) =>
    answers.get(key, source, revision, find, () => lasts)
  return { ask, answers, setVersion: (next: string) => (version = next), found: () => found }
}

it('an answer is given again while what it rests on is the same', async () => {
  const { ask, answers, setVersion, found } = setUp()
  const first = await ask()
  expect(await ask()).toBe(first)
  expect(found()).toBe(1)
  await ask('another question')
  expect(found()).toBe(2)
  setVersion('2')
  expect(await ask()).toBe('{"answer":"2 2"}')
  expect(await ask()).toBe('{"answer":"2 2"}')
  expect(found()).toBe(3)
  expect(answers.counts).toMatchObject({ known: 2, found: 3 })
})

it('one that another try may change is not kept', async () => {
  const { ask, answers, found } = setUp()
  await ask('question', false)
  await ask('question', false)
  expect(found()).toBe(2)
  expect(answers.counts.bytes).toBe(0)
})

it('one is given without a look-up while the store has not changed', async () => {
  const { ask, setVersion } = setUp()
  const first = await ask('question', true, 'before')
  setVersion('2')
  expect(await ask('question', true, 'before')).toBe(first)
  expect(await ask('question', true, 'after')).toBe('{"answer":"2 2"}')
})
