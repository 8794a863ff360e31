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
])('shows %s from /home/ann/shop as %s', (path, shown) => {
  expect(shownPath(path, '/home/ann/shop')).toBe(shown)
})

it('goes up at most two directories', () => {
  expect(shownPath('/home/ann/lib/a.js', '/home/ann/apps/web')).toBe('../../lib/a.js')
  expect(shownPath('/home/ann/lib/a.js', '/home/ann/apps/web/src')).toBe('/home/ann/lib/a.js')
})

it('shows a path that is never longer than the full one', () => {
  expect(shownPath('/tmp/a.js', '/work')).toBe('/tmp/a.js')
  expect(shownPath('/work/a.js', '/')).toBe('work/a.js')
})
