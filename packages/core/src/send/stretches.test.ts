import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { isMostlyVlq, type Stretch, stretchesOf } from './stretches.ts'

const text = Buffer.alloc(200_000, 'const answer = (question) => 42; // and so on\n')
const mappings = Buffer.from(
  randomBytes(450_000)
    .toString('base64')
    .replace(/(.{6})/g, '$1,'),
)

it('tells mappings from the text before and after them', () => {
  const body = Buffer.concat([text, Buffer.from('","mappings":"'), mappings, Buffer.from('","sources":["'), text])
  const stretches = stretchesOf(body)
  expect(stretches.map(({ isVlq }) => isVlq)).toEqual([false, true, false])
  expect(stretches.map(({ from }) => from)).toEqual([0, ...stretches.slice(0, -1).map(({ to }) => to)])
  expect(stretches.at(-1)?.to).toBe(body.length)
  const { from, to } = stretches[1] as Stretch
  // Looked at every 16 KiB.
  expect(Math.abs(to - from - mappings.length)).toBeLessThan(32 * 1024)
})

it.each([
  ['text', text, false],
  ['mappings', mappings, true],
  ['less than one look', Buffer.from('AAAA;AACA'), true],
  ['too little of the other kind', Buffer.concat([text, mappings.subarray(0, 20_000), text]), false],
])('is one stretch: %s', (_, bytes, isVlq) => {
  expect(stretchesOf(bytes)).toEqual([{ from: 0, to: bytes.length, isVlq }])
})

it('has one stretch without bytes, too', () => {
  expect(stretchesOf(Buffer.alloc(0))).toMatchObject([{ from: 0, to: 0 }])
})

it('goes by the larger part of a block', () => {
  expect(isMostlyVlq(Buffer.concat([mappings, text]))).toBe(true)
  expect(isMostlyVlq(Buffer.concat([mappings.subarray(0, 100_000), text]))).toBe(false)
  expect(isMostlyVlq(Buffer.alloc(0))).toBe(false)
})
