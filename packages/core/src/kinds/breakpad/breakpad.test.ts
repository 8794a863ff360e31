import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { collectBreakpad } from './breakpad.ts'

const cwd = mkdtempSync(join(tmpdir(), 'symup-breakpad-'))
afterAll(() => rmSync(cwd, { recursive: true }))

const PDB = / is from a Windows build, .* dump_syms/
const BUILD = /^Run the command after the build/

it.each<[string, string, RegExp]>([
  ['a PDB', 'Shop.pdb', PDB],
  ['a PDB with an uppercase extension', 'SHOP.PDB', PDB],
  ['an executable', 'Shop.exe', PDB],
  ['a directory that contains a PDB', 'release', PDB],
  ['a directory without a PDB', 'empty', BUILD],
  ['an archive', 'symbols.zip', /^Unpack the archive/],
])('explains how to get .sym files for %s', async (_, path, fix) => {
  mkdirSync(join(cwd, 'release/x64'), { recursive: true })
  mkdirSync(join(cwd, 'empty'), { recursive: true })
  for (const name of ['Shop.pdb', 'SHOP.PDB', 'Shop.exe', 'symbols.zip', 'release/x64/Shop.pdb', 'empty/readme.txt'])
    writeFileSync(join(cwd, name), 'Microsoft C/C++ MSF 7.00\r\n\x1aDS')
  const { uploads, problems } = await collectBreakpad({ path, service: 's', version: '1', toolVersion: '1', cwd })
  expect(uploads).toEqual([])
  expect(problems).toMatchObject([{ code: 'symbols-not-found', message: `No .sym files were found in ${path}.` }])
  expect(problems[0]?.fix).toMatch(fix)
})
