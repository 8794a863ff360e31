import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { notTaken } from './not-taken.ts'

const root = mkdtempSync(join(tmpdir(), 'symup-not-taken-'))
afterAll(() => rmSync(root, { recursive: true }))

const PDB = 'Microsoft C/C++ MSF 7.00\r\n\x1aDS'
/** Dart's list: each name is followed by its new name. Some names stay the same. */
const NAMES = '["MaterialApp","ac","==","==","_CounterState","b1","get:total","get:cA","main","main"]'
const WINDOWS = /Shop\.\w+ is from a Windows build, which symup does not support directly\. .* dump_syms/i
const UNITY =
  /LineNumberMappings\.json is the table that maps Unity's generated C\+\+ to C#\. symup does not support this table, /
const FLUTTER = /looks like the output of Flutter's --save-obfuscation-map, which symup does not support\. /

it.each<[string, string, string, RegExp]>([
  ['a PDB', 'x64/Shop.pdb', PDB, WINDOWS],
  ['a PDB with an uppercase extension', 'SHOP.PDB', PDB, WINDOWS],
  ['an executable', 'Shop.exe', 'MZ', WINDOWS],
  ['a list of Flutter names', 'obfuscation.json', NAMES, FLUTTER],
  [
    'an Android app',
    'app-release.apk',
    'PK',
    /The code in \S*app-release\.apk is stripped\. .* symup android upload-ndk /,
  ],
  ['a library of Android', 'lib.aar', 'PK', /The code in \S*lib\.aar is stripped\. .* in the module of the library/],
  ['an app of HarmonyOS', 'entry.hap', 'PK', /The code in \S*entry\.hap is stripped\. .* symup harmony upload /],
  ['an iOS app', 'Shop.ipa', 'PK', /The code in \S*Shop\.ipa is stripped\. .* symup ios upload /],
  ['a multi-line list of Flutter names', 'map.json', NAMES.replaceAll(',', ',\n'), FLUTTER],
  [
    'a list of Flutter names that exceeds the read limit',
    'big.json',
    `${NAMES.slice(0, -1)},${NAMES.slice(1, -1).repeat(1)}${',"Cart","d"'.repeat(2000)}]`,
    FLUTTER,
  ],
  [
    'a Unity line mapping',
    'Symbols/LineNumberMappings.json',
    '{"/il2cpp/Cart.cpp":{"/Assets/Cart.cs":{"1":2}}}',
    UNITY,
  ],
])('recognizes %s', async (_, name, content, text) => {
  const path = join(root, 'known', name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  expect(await notTaken([join(root, 'gone.json'), path], root)).toMatch(text)
  expect(await notTaken([path], root)).toContain(join('known', name))
})

it.each([
  ['an object', '{"a":"b"}'],
  ['an odd number of names', '["a","b","c"]'],
  ['numbers', '["a",1,"b","c"]'],
  ['a list of files', '["src/a.ts","src/b.ts"]'],
  ['a list of long words', '["first","secondly-and-more"]'],
  ['an empty list', '[]'],
  ['nothing', ''],
])('does not mistake %s for a list of Flutter names', async (_, content) => {
  const path = join(root, 'other.json')
  writeFileSync(path, content)
  expect(await notTaken([path], root)).toBeUndefined()
})

it('names the PDB rather than the libraries next to it', async () => {
  const paths = ['a.dll', 'b.pdb'].map((name) => join(root, name))
  for (const path of paths) writeFileSync(path, PDB)
  expect(await notTaken(paths, root)).toMatch(/^b\.pdb is /)
})
