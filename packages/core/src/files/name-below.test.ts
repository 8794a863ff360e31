import { posix, win32 } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nameBelow } from './name-below.ts'

describe('the name of a file relative to a directory', () => {
  it.each([
    [win32, 'C:\\app\\dist', 'C:\\app\\dist\\js\\größe 1.js', 'js/größe 1.js'],
    [win32, 'C:\\app\\dist', 'c:\\App\\dist\\a.js', 'a.js'],
    [win32, '\\\\server\\share\\dist', '\\\\server\\share\\dist\\js\\a.js', 'js/a.js'],
    [posix, '/app/dist', '/app/dist/js/a\\b.js', 'js/a\\b.js'],
    [posix, '/app/dist/', '/app/dist/./js//b/../a.js', 'js/a.js'],
    [posix, '/app/dist', '/app/other/a.js', '../other/a.js'],
    [posix, '/app/dist', '/app/dist', ''],
  ])('returns the file name relative to a directory: case %#', (paths, directory, path, name) => {
    expect(nameBelow(directory, path, paths)).toBe(name)
  })
})
