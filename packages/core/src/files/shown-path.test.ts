import { expect, it } from 'vitest'
import { shownPath } from './shown-path.ts'

it.each([
  ['/home/ann/shop/dist/a.js', 'dist/a.js'],
  ['/home/ann/shop/..dist/a.js', '..dist/a.js'],
  ['/home/ann/shop', ''],
  ['/home/ann/shared/a.js', '../shared/a.js'],
  ['/home/bob/a.js', '/home/bob/a.js'],
  ['/srv/builds/a.js', '/srv/builds/a.js'],
  ['/tmp/a.js', '/tmp/a.js'],
])('%s from /home/ann/shop is %s', (path, shown) => {
  expect(shownPath(path, '/home/ann/shop')).toBe(shown)
})

it('goes two directories up, and no further', () => {
  expect(shownPath('/home/ann/lib/a.js', '/home/ann/apps/web')).toBe('../../lib/a.js')
  expect(shownPath('/home/ann/lib/a.js', '/home/ann/apps/web/src')).toBe('/home/ann/lib/a.js')
})

it('is no longer than the path itself', () => {
  expect(shownPath('/tmp/a.js', '/work')).toBe('/tmp/a.js')
  expect(shownPath('/work/a.js', '/')).toBe('work/a.js')
})
