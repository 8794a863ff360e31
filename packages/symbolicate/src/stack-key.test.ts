import { expect, it } from 'vitest'
import type { ArtifactSource } from './artifacts.ts'
import type { StackQuestion } from './question.ts'
import { stackKey } from './symbolicate.ts'

const source = { findNative: async () => undefined, miniPrograms: {} } as unknown as ArtifactSource
const keyOf = (stack: string, platform: StackQuestion['platform'] = 'browser') =>
  stackKey({ service: 's', version: '1', stack, platform }, source)
const frames = '    at f (https://h/a.js:1:2)\n    at https://h/b.js:3:4'

it('stacks of JavaScript that differ in their message only are one', () => {
  const key = keyOf(`Error: order 17 is missing\n${frames}`)
  expect(keyOf(`Error: order 18 is missing\n  in two lines\r\n${frames}\n`)).toBe(key)
  expect(keyOf(`Error: order 17 is missing\n${frames}5`)).not.toBe(key)
  expect(keyOf(`Error: order 17 is missing\n${frames.replace(' f ', ' g ')}`)).not.toBe(key)
  // This line of the message is a frame to who reads it.
  expect(keyOf(`Error: e\n    at c (https://h/c.js:1:1)\n${frames}`)).not.toBe(key)
})

it.each([
  ['a message of which another resolver knows that the stack is its own', '#00 abs 000000723d6346d7 _kDart', 'browser'],
  ['a stack of a JVM, whose message has names of classes', 'a.b.c: order 18', 'android'],
  ['a stack that is too long to be looked into', `Error: ${'x'.repeat(20_000)}`, 'browser'],
] as const)('%s is its own', (_, message, platform) => {
  expect(keyOf(`${message}\n${frames}`, platform)).not.toBe(keyOf(`${message}9\n${frames}`, platform))
  expect(keyOf(`${message}\n${frames}`, platform)).not.toBe(keyOf(`Error: x\n${frames}`))
})
