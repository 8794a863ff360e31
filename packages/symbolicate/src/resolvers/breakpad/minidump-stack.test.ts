import { binaryOf } from '@symup/core/resolving'
import { describe, expect, it } from 'vitest'
import type { ArtifactSource } from '../../artifacts.ts'
import { platformOf } from '../../platform-of.ts'
import { symbolicate } from '../../symbolicate.ts'
import { artifactSourceOf } from '../../upload-source.ts'

const ID = '5A9832E5287241C1838ED98914E9B7FF1'
/** Breakpad's dump_syms writes inlined calls in this form since 2021. The older form lacks the file of the call. */
const SYMBOLS = `MODULE windows x86 ${ID} shop.pdb
INFO CODE_ID 45D4D4B62D000 shop.exe
FILE 0 c:\\shop\\cart.cc
FILE 1 c:\\shop\\price.h
INLINE_ORIGIN 0 shop::price(Item const&)
INLINE_ORIGIN 1 shop::Money::cents() const
FUNC 1000 40 0 shop::Cart::total() const
INLINE 0 21 0 0 1010 20
INLINE 1 8 1 1 1018 8
1000 10 20 0
1010 8 7 1
1018 8 3 1
1020 10 8 1
1030 10 22 0
FUNC m 1080 20 4 _ZN4shop3payEi
INLINE 0 31 1 1090 8
1080 20 30 0
PUBLIC 1100 0 _BaseProcessStart
PUBLIC m 2000 4 _after
STACK WIN 4 1000 40 6 0 0 0 0 0 0 0
`
const source = (text = SYMBOLS): ArtifactSource => ({
  ...artifactSourceOf([]),
  findNative: async (id) => (id === ID ? { contentKey: text, open: () => binaryOf(Buffer.from(text)) } : undefined),
  findNativeNamed: async (name) => (name === 'shop.pdb' ? [{ id: ID, service: 'desk', version: '1' }] : []),
})
const ask = async (stack: string, from = source()) => {
  const platform = platformOf(stack)
  const { frames } = await symbolicate({ stack, service: 'desk', version: '1', platform }, from)
  return frames.map(({ resolved, reason }) =>
    resolved
      ? [...(resolved.inlined ?? []), resolved].map((it) => `${it.function} ${it.file}:${it.line ?? ''}`)
      : reason?.code,
  )
}
const reasonOf = async (module: string) => {
  const question = { service: 'desk', version: '1', platform: 'browser' as const }
  const { frames } = await symbolicate({ stack: ` 0  ${module} + 0x15f3c`, ...question }, source())
  return frames[0]?.reason
}
const TOTAL = [
  [
    'shop::Money::cents() const c:\\shop\\price.h:3',
    'shop::price(Item const&) c:\\shop\\price.h:8',
    'shop::Cart::total() const c:\\shop\\cart.cc:21',
  ],
  ['shop::Money::cents() const c:\\shop\\cart.cc:30', 'shop::pay(int) shop.exe:31'],
]

describe('frames that name a module and an offset', () => {
  it('reads frames from minidump-stackwalk for the thread that crashed', async () => {
    const stack = `Operating system: Windows NT\n\nThread 0\n 0  ntdll.dll + 0x11\n
Thread 1 (crashed)
 0  shop.exe + 0x1019
    eip = 0x0040429e   esp = 0x0012fe84
    Found by: given as instruction pointer in context
 1  shop.exe + 0x1092
 2  kernel32.dll!BaseProcessStart + 0x23
 3  shop.exe + 0x1104
 4  shop.exe + 0x1060
 5  other.dll + 0x10

Loaded modules:
0x00400000 - 0x0042cfff  shop.exe  ???  (main)
`
    expect(await ask(stack)).toEqual([
      ...TOTAL,
      'already-original',
      ['_BaseProcessStart shop.exe:'],
      'no-mapping-at-position',
      'build-id-unknown',
    ])
  })

  it.each([
    'libdyld.dylib',
    'libsystem_kernel.dylib',
    'KERNEL32.DLL',
    'ntdll.dll',
    'libc.so.6',
    'libc-2.23.so',
    'ld-2.23.so',
  ])('reports %s as a system library if the report contains no path for it', async (module) => {
    expect(await reasonOf(module)).toMatchObject({ code: 'not-a-project-frame', fix: '' })
  })

  it('asks for Breakpad files, not for build ids, if the upload is missing', async () => {
    for (const module of ['other.dll', 'libsystems.dylib', 'mylibc.so.6']) {
      expect(await reasonOf(module)).toMatchObject({
        code: 'build-id-unknown',
        message: expect.stringContaining(`no symbols were found under its name`),
        fix: 'Upload the Breakpad symbols (.sym files) from the build.',
      })
    }
  })

  it.each(['shop.pdb', 'shop.exe.pdb', 'shop.exe', 'shop'])(
    'finds symbols for shop.exe under the name %s',
    async (own) => {
      const named: ArtifactSource['findNativeNamed'] = async (name) =>
        name === own ? [{ id: ID, service: 'desk', version: '1' }] : []
      expect(await ask(' 1  shop.exe + 0x1092', { ...source(), findNativeNamed: named })).toEqual([TOTAL[1]])
    },
  )

  it('reads machine-readable output from minidump-stackwalk with the ids of its modules', async () => {
    const stack = `OS|Windows NT|5.1\nCrash|EXCEPTION_ACCESS_VIOLATION|0x45|3
Module|C:\\Program Files\\Shop\\shop.exe||shop.pdb|${ID}|0x00400000|0x0042cfff|1
Module|other.dll|1|other.pdb|${ID.replace('5A', '6B')}|0x500000|0x51ffff|0\n
0|0|other.dll||||0x10
3|0|C:\\Program Files\\Shop\\shop.exe||||0x1019
3|1|C:\\Program Files\\Shop\\shop.exe|shop::pay|c:\\shop\\cart.cc|30|0x5
3|2|other.dll||||0x10\n`
    expect(await ask(stack)).toEqual([TOTAL[0], 'already-original', 'no-artifact'])
  })

  it('reads JSON from rust-minidump', async () => {
    const report = {
      crashing_thread: {
        frames: [
          { frame: 0, module: 'shop.exe', module_offset: '0x1019' },
          { frame: 1, module: null },
        ],
      },
      modules: [{ filename: 'shop.exe', debug_file: 'C:\\build\\shop.pdb', debug_id: ID.toLowerCase() }],
    }
    expect(await ask(JSON.stringify(report))).toEqual([TOTAL[0]])
    expect(await ask('{"crashing_thread": "module_offset"')).toEqual([])
  })

  it.each([
    '#0 0x7f1e (/opt/shop.exe+0x1019)',
    '    #0 0x7f1e in shop::pay(int, char*) (/opt/shop.exe+0x1019) (BuildId: 5a98)',
    'C:\\Shop\\shop.exe+0x1019',
    '/opt/shop.exe(+0x101a) [0x55d1c3a2b1c2]',
    // ThreadSanitizer prints no addresses.
    '    #0 <null> <null> (/opt/shop.exe+0x1019)',
    '    #0 pay(int) /src/pay.cc:3:4 (/opt/shop.exe+0x1019) (BuildId: 5a98)',
    '06-26 17:53:52.371 I/wrap.sh (12487):     #0 0x7f1e  (/opt/shop.exe+0x1019)',
    '06-26 17:53:52.371 12487 12490 I wrap.sh : #0 0x7f1e1234  (/opt/shop.exe+0x1019)',
    '1764384712 E hwasan  : #0 0x7f1e1234  (/opt/shop.exe+0x1019)',
    'app_1  | 2026-06-26T17:53:52Z     #0 0x7f1e in pay(int) (/opt/shop.exe+0x1019)',
    '[stderr] /opt/shop.exe(+0x101a) [0x55d1c3a2b1c2]',
    '/opt/shop.exe(+0x101a)[0x55d1c3a2b1c2]',
    'app_1  |/opt/shop.exe(+0x101a) [0x55d1c3a2b1c2]',
    'shop  |  1# 0x000000000000101a in ./shop.exe',
    // A program that is not position-independent writes the first line, and systemd writes the second.
    './shop.exe() [0x101a]',
    'Jun 26 17:53:52 host systemd-coredump[9]:     #0  0x00000000004d2a3c n/a (shop.exe + 0x1019)',
    '    #1  0x00000000004d2a3c _ZN4shop3payEi (/opt/shop.exe + 0x101a)',
    '/opt/shop.exe(_BaseProcessStart+0x0)[0x55d1c3a2b1c2]',
    // libexecinfo writes these lines: on musl, and on NetBSD after the start of a log line.
    '0x55d1c3a2b1c2 <_BaseProcessStart+25> at /opt/shop.exe',
    'Jun 26 17:53:52 host shop[9]: 0x55d1c3a2b1c2 <_BaseProcessStart+0x19> at /opt/shop.exe',
  ])('reads frames from %s', async (line) =>
    expect(await ask(`fatal error\n${line}\n`)).toEqual([line.includes('_Base') ? 'no-mapping-at-position' : TOTAL[0]]),
  )

  it.each(['', 'Jun 26 17:53:52 host shop[9]: '])(
    'reads frames after %j if a sanitizer resolved them',
    async (head) => {
      const stack = `${head}    #0 0x4d2a3c in shop::pay(int, char*) /src/pay.cc:3:4\n`
      expect(await ask(`==1==ERROR: AddressSanitizer: x\n${stack}`)).toEqual(['already-original'])
    },
  )

  it.each([' 0# shop::pay(int) in /opt/shop.exe', ' 1# main at /src/main.cc:12'])(
    'already resolved by Boost: %s',
    async (line) =>
      expect(await ask(`${line}\n 2# 0x00007F12340010D9 in /opt/shop.exe\n`)).toEqual(['already-original']),
  )

  it('accounts for sanitizers, which move return addresses back into the call, on ARM by one instruction', async () => {
    const frames = (of: string) =>
      `${of}\n    #0 0x7f1e  (/opt/shop.exe+0x1019)\n    #1 0x7f1e  (/opt/shop.exe+0x1018)\n`
    expect(await ask(frames('==81==ERROR: HWAddressSanitizer: tag-mismatch on address 0x1'))).toEqual([
      TOTAL[0],
      TOTAL[0],
    ])
    expect(await ask(frames('[81:81:FATAL:shop.cc(3)] Check failed'))).toEqual([
      TOTAL[0],
      [expect.anything(), expect.anything()],
    ])
    expect(await ask('#0 0x7f1e in main (/opt/a+0x10)\n#1 0x7f1e in pay() (/opt/shop.exe+0x1018)\n')).toContainEqual(
      TOTAL[0],
    )
  })

  it('resolves by build id only with that exact library or its Breakpad symbols', async () => {
    const line = (id: string) => `#0 0x7f1e  (/data/app/libshop.so+0x1019) (BuildId: ${id})\n`
    const buildId = 'e532985a7228c141838ed98914e9b7ff0badcafe'
    const of = (wanted: string): ArtifactSource => ({
      ...source(),
      findNative: async (id) => (id === wanted ? source().findNative?.(ID) : undefined),
      findNativeNamed: async (name) => (name === 'libshop.so' ? [{ id: ID, service: 'desk', version: '1' }] : []),
    })
    expect(await ask(line(buildId), of(buildId))).toEqual([TOTAL[0]])
    expect(await ask(line(buildId.toUpperCase()), of('5A9832E5287241C1838ED98914E9B7FF0'))).toEqual([TOTAL[0]])
    expect(await ask(line(buildId), of(ID))).toEqual(['build-id-mismatch'])
    // The build id is too short to identify a library, so the name decides.
    expect(await ask(line('5a98'), of(ID))).toEqual([TOTAL[0]])
  })

  it('explains what to do if only a PDB is stored', async () => {
    const stored = { ...source(), releasesWith: async () => [{ service: 'desk', version: '1' }] }
    expect(await ask('Thread 0 (crashed)\n 0  addon.node + 0x10\n', stored)).toEqual(['kind-not-resolved'])
    const unity = '  at Shop.Cart.Total () [0x00012] in <4f3c0000000000000000000000000000>:0 \n'
    expect(await ask(`NullReferenceException\n${unity}`, stored)).toEqual(['kind-not-resolved'])
  })
})

it('reports a damaged file, and a file of another type', async () => {
  const stack = 'Thread 0 (crashed)\n 0  shop.exe + 0x1019\n'
  expect(await ask(stack, source('MODULE windows x86 nothing shop.pdb\n'))).toEqual(['symbols-unusable'])
  const random = SYMBOLS.replace(/[0-9]/g, (digit, at: number) => (at > 120 && at % 7 === 0 ? 'z' : digit))
  for (const text of [SYMBOLS.slice(0, 260), random, SYMBOLS.replaceAll('\n', '\r\n')])
    expect(await ask(stack, source(text))).toHaveLength(1)
})
