import { describe, expect, it } from 'vitest'
import type { SettingDefinition } from './definition.ts'
import { uploadUrl } from './endpoint.ts'
import { isUsablePrefix, minifiedUrl } from './prefix.ts'
import { nearestOf } from './suggest.ts'
import { type ReadValue, readValue } from './values.ts'

// Parsing of configured values: every type, up to its limits.

const define = (definition: Partial<SettingDefinition>) => ({ description: '', ...definition }) as SettingDefinition
const flawed = (flaw: string) => ({ flaw: `It ${flaw}` })
const valued = (value: unknown) => ({ value })

describe.each<[string, SettingDefinition, [given: unknown, read: object][]]>([
  [
    'a switch',
    define({ type: 'boolean' }),
    [
      [true, valued(true)],
      [false, valued(false)],
      ['true', valued(true)],
      ['false', valued(false)],
      ['TRUE', flawed('must be true or false, but is "TRUE".')],
      [1, flawed('must be true or false, but is 1.')],
      [{}, flawed('must be true or false, but is a value of type object.')],
    ],
  ],
  [
    'a secret switch',
    define({ type: 'boolean', secret: true }),
    [['x', flawed('must be true or false, but is a value of type string.')]],
  ],
  [
    'a number in a range',
    define({ type: 'integer', range: [1, 64] }),
    [
      [1, valued(1)],
      [64, valued(64)],
      ['64', valued(64)],
      ['007', valued(7)],
      [0, flawed('must be a whole number from 1 to 64, but is 0.')],
      [65, flawed('must be a whole number from 1 to 64, but is 65.')],
      [1.5, flawed('must be a whole number from 1 to 64, but is 1.5.')],
      ['', flawed('must be a whole number from 1 to 64, but is "".')],
      ['1e1', flawed('must be a whole number from 1 to 64, but is "1e1".')],
      ['-1', flawed('must be a whole number from 1 to 64, but is "-1".')],
      [Number.NaN, flawed('must be a whole number from 1 to 64, but is NaN.')],
    ],
  ],
  [
    'a number',
    define({ type: 'integer' }),
    [
      [0, valued(0)],
      [Number.MAX_SAFE_INTEGER, valued(Number.MAX_SAFE_INTEGER)],
      [2 ** 53, flawed('must be a whole number from 0 to 9007199254740991, but is 9007199254740992.')],
      [-1, flawed('must be a whole number from 0 to 9007199254740991, but is -1.')],
    ],
  ],
  [
    'a list',
    define({ type: 'list' }),
    [
      ['a', valued(['a'])],
      ['a, b ,c', valued(['a', 'b', 'c'])],
      ['*.{js,mjs},b', valued(['*.{js,mjs}', 'b'])],
      [['a,b', ' c '], valued(['a,b', 'c'])],
      ['', flawed('must be a list of strings.')],
      ['a,,b', flawed('must be a list of strings.')],
      [[], flawed('must be a list of strings.')],
      [['a', 5], flawed('must be a list of strings.')],
      [['a', ' '], flawed('must be a list of strings.')],
      [true, flawed('must be a list of strings.')],
      [{}, flawed('must be a list of strings.')],
      ...[
        ...['**/*-*-*.*.js', '{**/*.a,**/*.b,*.c,*.d,*.e}', '!(*.min|*.max).js', '**/+([0-9]).js', '********b'],
        // Globs used by Jest and lint-staged.
        ...['**/?(*.)+(spec|test).[jt]s?(x)', '*.+(js|jsx|ts|tsx|json)', '*(a|b)'],
      ].map((glob): [unknown, ReadValue] => [[glob], { value: [glob] }]),
      // An unlimited matcher took seconds to years for each of these globs with names of 40 to 200 letters.
      ...[
        '*a'.repeat(5),
        'x/{b,*a*a}{*a,b}*a!(*a)/y',
        '+(*a)b',
        '+([a-z]|a)c',
        '+(a|aa)c',
        '*(ab|b|abb)',
        '@(*a)'.repeat(5),
      ].map((glob): [unknown, object] => [
        ['ok', glob],
        flawed(`contains the glob "${glob}", which has too many wildcards.`),
      ]),
    ],
  ],
  [
    'a list that may be a switch',
    define({ type: 'list', mayBeBoolean: true }),
    [
      [true, valued(['**'])],
      ['true', valued(['**'])],
      [false, valued([])],
      ['false', valued([])],
      ['a', valued(['a'])],
    ],
  ],
  [
    'a table',
    define({ type: 'map', fields: ['service', 'prefix'] }),
    [
      [{ service: 's' }, valued({ service: 's' })],
      [{}, valued({})],
      [
        { servce: 's' },
        flawed('contains the unknown field "servce". Allowed fields: service, prefix. Did you mean "service"?'),
      ],
      [{ zzz: 's' }, flawed('contains the unknown field "zzz". Allowed fields: service, prefix.')],
      [{ service: 5 }, flawed('must be an object whose values are strings.')],
      [['a'], flawed('must be an object whose values are strings.')],
      [null, flawed('must be an object whose values are strings.')],
      ['a', flawed('must be an object whose values are strings.')],
      [true, flawed('must be an object whose values are strings.')],
    ],
  ],
  [
    'a table that may be a switch, with any fields',
    define({ type: 'map', mayBeBoolean: true }),
    [
      [true, valued(true)],
      [false, valued(false)],
      [{ anything: 'x' }, valued({ anything: 'x' })],
    ],
  ],
  [
    'a text',
    define({ type: 'string' }),
    [
      [' a b ', valued('a b')],
      ['', flawed('is empty.')],
      [' \n', flawed('is empty.')],
      ['a\nb', flawed('contains a control character or a line break.')],
      ['a\u001b[1m', flawed('contains a control character or a line break.')],
      [5, flawed('must be a string, but is a value of type number.')],
      [['a'], flawed('must be a string, but is an array.')],
      [{}, flawed('must be a string, but is a value of type object.')],
    ],
  ],
  [
    'a key',
    define({ type: 'string', secret: true }),
    [
      [' k-1 ', valued('k-1')],
      ...['…', 'k…', 'ключ', '\u{1F511}'].map((key): [unknown, object] => [
        key,
        flawed('contains an invalid character, such as an … copied from an example.'),
      ]),
    ],
  ],
  ['a text that may be empty', define({ type: 'string', mayBeEmpty: true }), [[' ', valued('')]]],
  [
    'a choice of words',
    define({ type: 'string', values: ['fail', 'warn'] }),
    [
      ['warn', valued('warn')],
      ['warning', flawed('must be one of fail, warn, but is "warning". Did you mean "warn"?')],
      ['zzzzzz', flawed('must be one of fail, warn, but is "zzzzzz".')],
    ],
  ],
])('%s', (_, definition, table) => {
  it.each(table)('%j', (given, expected) => {
    const read = readValue(definition, given)
    expect('flaw' in read ? { flaw: read.flaw('It') } : read).toEqual(expected)
  })
})

it.each<[string, string]>([
  ['https://h', 'https://h/sourcemap/upload'],
  ['http://h:80/', 'http://h/sourcemap/upload'],
  ['https://h/api//', 'https://h/api/sourcemap/upload'],
  ['https://h/sourcemap/upload', 'https://h/sourcemap/upload'],
  ['https://h/api/sourcemap/upload/', 'https://h/api/sourcemap/upload'],
])('derives the upload URL for the endpoint %s: %s', (address, url) => expect(uploadUrl(address)).toBe(url))

it.each<[string, string]>([
  ['h.example', 'The address is not a valid URL.'],
  ['', 'The address is not a valid URL.'],
  ['ftp://h', 'The address is not an HTTP or HTTPS URL.'],
  ['file:///h', 'The address is not an HTTP or HTTPS URL.'],
  ['https://user@h', 'The address contains a user name or a password.'],
  ['https://:word@h', 'The address contains a user name or a password.'],
  ['https://h/?', 'The address contains a query string (?…).'],
  ['https://h/?a=b', 'The address contains a query string (?…).'],
  ['https://h/#', 'The address contains a fragment (#…).'],
])('refuses the endpoint %s: %s', (address, why) => expect(() => uploadUrl(address)).toThrow(why))

it.each([
  '/',
  '/shop',
  '//cdn.example/shop',
  'https://cdn.example',
  'HTTP://cdn.example/',
  'app:///',
  'file:///srv',
  'capacitor://localhost',
  'chrome-extension://id/',
  '/a b',
  '/srv/入口',
  'https://cdn.example/my app',
  'https://例え.jp/店',
  'file:///srv/node app',
  '//例え.jp/店',
])('accepts the prefix %s', (prefix) => expect(isUsablePrefix(prefix)).toBe(true))

it.each([
  '',
  'shop',
  './shop',
  '/shop?x',
  '/shop#x',
  '/a\nb',
  '/a\tb',
  '/a\u0000b',
  '/a\u0085b',
  '/a\u2028b',
  '/a\ud800b',
  '/a ',
  ' /a',
  'https://my host/',
  '//my host/a',
  'app://my host/',
  '\\shop',
  'https:/h',
  'http://',
  'htps://h',
  'ttps://h',
  'htp://h',
  'ftp://h',
  'sftp://h',
  'ftps://h',
  'ws://h',
  'wss://h',
  'blob://h',
  'data://h',
  'a://h',
  'https://*.example.com/shop',
  'https://cdn.example.com/*/shop',
  '/v*/shop',
])('refuses the prefix %j', (prefix) => expect(isUsablePrefix(prefix)).toBe(false))

it.each<[string, string, string]>([
  ['/', 'a.js', '/a.js'],
  ['/shop//', 'a.js', '/shop/a.js'],
  ['https://h', 'a.js', 'https://h/a.js'],
  ['https://h/', 'x/a.js', 'https://h/x/a.js'],
  ['app:///', 'a.js', 'app:///a.js'],
  ['app://', 'a.js', 'app:///a.js'],
  ['file:///srv/', 'a.js', 'file:///srv/a.js'],
  ['//cdn/x', 'a.js', '//cdn/x/a.js'],
  ['/node app/dist', 'a b.js', '/node%20app/dist/a%20b.js'],
  ['/node%20app/dist', 'a.js', '/node%20app/dist/a.js'],
  ['/a"<>`{}(\'100%', 'a.js', "/a%22%3C%3E%60%7B%7D('100%/a.js"],
  ['https://h/入口', 'a.js', 'https://h/%E5%85%A5%E5%8F%A3/a.js'],
  ['https://例え.jp/店', 'a.js', 'https://xn--r8jz45g.jp/%E5%BA%97/a.js'],
  ['//例え.jp:8080', 'a.js', '//xn--r8jz45g.jp:8080/a.js'],
  ['file:///srv/node app', 'a.js', 'file:///srv/node%20app/a.js'],
  ['capacitor://ü', 'a.js', 'capacitor://%C3%BC/a.js'],
  ['/', 'a b%#?\\ü[id].js', '/a%20b%25%23%3F%5C%C3%BC[id].js'],
  ['/', 'a\tb\r\nc.js', '/a%09b%0D%0Ac.js'],
  // Browsers resolve dot segments in a URL, so stacks never contain them.
  ['/shop/../x/', 'a.js', '/x/a.js'],
  ['https://cdn.example.com/a/./b/%2E%2e/c', 'a.js', 'https://cdn.example.com/a/c/a.js'],
  ['https://cdn.example.com/../..', 'a.js', 'https://cdn.example.com/a.js'],
  ['//cdn.example.com/a/..', 'a.js', '//cdn.example.com/a.js'],
  ['app:///a/../..', 'a.js', 'app:///a.js'],
  ['/a..b/...', 'a.js', '/a..b/.../a.js'],
])('resolves the prefix %s and the file %s to %s', (prefix, path, url) => expect(minifiedUrl(prefix, path)).toBe(url))

it.each<[written: string, known: string[], nearest: string | undefined]>([
  ['wwarn', ['warn'], 'warn'],
  ['wark', ['warn'], 'warn'],
  ['wanr', ['warn'], 'warn'],
  ['WARN', ['warn'], 'warn'],
  ['wordlist', ['warn'], undefined],
  ['hos', ['hostname'], 'hostname'],
  ['ho', ['hostname'], undefined],
  ['hostname', ['hos'], 'hos'],
  ['hostname', ['ho'], undefined],
  ['aab', ['bba'], undefined],
  ['abcdefgh', ['badcefgh'], 'badcefgh'],
  ['abcdefgh', ['badcfegh'], undefined],
  ['abcdefgh', ['abcdefxx', 'abcdefgx', 'abcdefgy'], 'abcdefgx'],
  ['', ['a'], 'a'],
  ['x'.repeat(100), [`${'x'.repeat(99)}y`], `${'x'.repeat(99)}y`],
  [`${'x'.repeat(100)}z`, [`${'x'.repeat(100)}y`], undefined],
])('finds the word closest to %s in %j: %s', (written, known, nearest) =>
  expect(nearestOf(written, known)).toBe(nearest),
)
