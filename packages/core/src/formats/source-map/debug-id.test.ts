import { describe, expect, it } from 'vitest'
import { debugIdOf, mapWithDebugId, readDebugId, withDebugId } from './debug-id.ts'

const ID = '11111111-2222-5333-8444-555555555555'

describe('the debug id of a file', () => {
  it('returns a UUID that depends only on the content', () => {
    expect(debugIdOf('throw 1')).toBe(debugIdOf('throw 1'))
    expect(debugIdOf('throw 1')).not.toBe(debugIdOf('throw 2'))
    expect(debugIdOf('throw 1')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('does not depend on the location of the map', () => {
    const one = debugIdOf('a()\n//# sourceMappingURL=a.js.map')
    expect(debugIdOf('a()\n//# sourceMappingURL=/maps/a.js.map')).toBe(one)
    expect(debugIdOf('b()\n//# sourceMappingURL=a.js.map')).not.toBe(one)
  })

  it('equals the result of uuid.uuid5 in Python, so that a deployed file keeps its id', () => {
    expect(debugIdOf('throw 1')).toBe('4d778cac-2ef4-5a72-94e1-84da4bdb80f8')
  })
})

describe('the debug id in a script', () => {
  it.each([
    ['at the end', 'a()', `a()\n//# debugId=${ID}\n`],
    ['after the last line', 'a()\n', `a()\n//# debugId=${ID}\n`],
    ['in an empty file', '', `//# debugId=${ID}\n`],
    [
      'before the sourceMappingURL comment',
      'a()\n//# sourceMappingURL=a.js.map',
      `a()\n//# debugId=${ID}\n//# sourceMappingURL=a.js.map`,
    ],
    [
      'with Windows line endings',
      'a()\r\n//# sourceMappingURL=a.js.map\r\n',
      `a()\r\n//# debugId=${ID}\n//# sourceMappingURL=a.js.map\r\n`,
    ],
    [
      'outside strings that contain the same words',
      'a("\\n//# sourceMappingURL=x")',
      `a("\\n//# sourceMappingURL=x")\n//# debugId=${ID}\n`,
    ],
  ])('finds the debug id of a script %s', (_, code, expected) => {
    expect(withDebugId(code, ID)).toBe(expected)
    expect(readDebugId(expected)).toBe(ID)
  })

  it('reads the debug id before and after the sourceMappingURL comment, even if the map is large and inline', () => {
    const inline = `//# sourceMappingURL=data:application/json;base64,${'A'.repeat(100_000)}`
    expect(readDebugId(`a()\n//# debugId=${ID}\n${inline}\n`)).toBe(ID)
    expect(readDebugId(`a()\n//# sourceMappingURL=a.js.map\n//# debugId=${ID.toUpperCase()}`)).toBe(ID)
    expect(readDebugId(withDebugId(`a()\n${inline}`, ID))).toBe(ID)
  })

  it('returns no debug id if the script has none', () => {
    expect(readDebugId('a()')).toBeUndefined()
    expect(readDebugId(`a("//# debugId=${ID}")`)).toBeUndefined()
    expect(readDebugId('//# debugId=nonsense')).toBeUndefined()
  })
})

describe('the debug id in a map', () => {
  it.each(['{"version":3,"mappings":""}', '{}', ' {\n  "version": 3\n}', '\uFEFF{"version":3}'])('%s', (map) => {
    const marked = mapWithDebugId(map, ID)
    const parse = (text: string) => JSON.parse(text.replace('\uFEFF', ''))
    expect(parse(marked)).toEqual({ ...parse(map), debugId: ID })
    expect(mapWithDebugId(marked, ID)).toBe(marked)
  })

  it('replaces an earlier id', () => {
    const other = { version: 3, debugId: ID.replace('1', '9'), mappings: '' }
    expect(JSON.parse(mapWithDebugId(JSON.stringify(other), ID))).toEqual({ ...other, debugId: ID })
    const last = { version: 3, sourcesContent: ['x'.repeat(5000)], debugId: 'z' }
    expect(JSON.parse(mapWithDebugId(JSON.stringify(last), ID))).toEqual({ ...last, debugId: ID })
  })

  it('does not change sources that mention debug ids', () => {
    const map = { sourcesContent: ['x = {"debugId":"mine"}'], mappings: '' }
    expect(JSON.parse(mapWithDebugId(JSON.stringify(map), ID))).toEqual({ ...map, debugId: ID })
  })

  it('does not write a debug id to other files', () => {
    expect(mapWithDebugId('<html>', ID)).toBe('<html>')
  })
})
