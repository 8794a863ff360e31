import { expect, it } from 'vitest'
import { deployedPart, outputOf } from '../output.ts'
import { nextSideOf } from './webpack-config.ts'

const resolveLoader = { alias: { 'next-swc-loader': '/next/loader.js' } }

it.each([
  [{ name: 'client', resolveLoader }, 'client'],
  [{ name: 'server', resolveLoader }, 'server'],
  [{ name: 'edge-server', resolveLoader }, 'server'],
  // Not a Next.js compiler, despite its name.
  [{ name: 'server' }, undefined],
  [{ name: 'client', resolveLoader: { alias: [{ name: 'next-swc-loader', alias: '/x' }] } }, undefined],
  [{ resolveLoader: { alias: null } }, undefined],
])('the compiler %j is of %s', (options, side) => {
  expect(nextSideOf(options)).toBe(side)
})

it('searches and deletes only in what is deployed', () => {
  const output = outputOf('/app/.next')
  output.deployed = 'static'
  for (const file of ['static/a.js', 'static/a.js.map', 'server/page.js']) output.files.add(file)
  output.deletable.add('static/a.js.map').add('server/page.js.map')
  const { directory, files, deletable } = deployedPart(output)
  expect(directory).toBe('/app/.next/static')
  expect([...files]).toEqual(['a.js', 'a.js.map'])
  expect([...deletable]).toEqual(['a.js.map'])
  const whole = outputOf('/app/dist')
  expect(deployedPart(whole)).toEqual(whole)
})
