import { describe, expect, it } from 'vitest'
import { retrace } from './retrace-text.ts'

async function retraced(mapping: string, stack: string, verbose = false): Promise<string[]> {
  return (await retrace(stack, Buffer.from(mapping.replace(/^\n/, '')), { verbose })).split('\n')
}

const VERSION = (version: string) => `# {"id":"com.android.tools.r8.mapping","version":"${version}"}`

// Cases follow the examples in R8's doc/retrace.md and R8's own tests. Each case names its origin.
describe('R8 line numbers', () => {
  const MAPPING = `
shop.Cart -> a:
  1:10:void pay():27:27 -> a
  11:15:void pay():42 -> a
  1337:1400:void shop.Till.take():113:113 -> b
  1337:1400:void sum():72 -> b
  3:7:int count():30:34 -> c
  void close():42:42 -> d
  0:65535:void only():33:33 -> e
  void first(long):1:1 -> f
  void second(int):3 -> g
  void third():0:0 -> h
  void fourth():0 -> i
  int plain(int) -> j
  5:3:void turned() -> k
  2:5:void turnedBefore():5:2 -> l
`
  it.each([
    ['range to a single line (ObfuscatedRangeToSingleLine)', 'a.a(:8)', ['shop.Cart.pay(Cart.java:27)']],
    ['range to a single line, short form', 'a.a(:13)', ['shop.Cart.pay(Cart.java:42)']],
    ['inlined', 'a.b(:1399)', ['shop.Till.take(Till.java:113)', 'shop.Cart.sum(Cart.java:72)']],
    ['range to range', 'a.c(SourceFile:5)', ['shop.Cart.count(Cart.java:32)']],
    ['first and last line of a range', 'a.c(SourceFile:7)', ['shop.Cart.count(Cart.java:34)']],
    ['a method without a range, with a line outside (OutsideLineRange)', 'a.d(:2)', ['shop.Cart.close(Cart.java:42)']],
    ['a method without a range or a line', 'a.d(Unknown Source)', ['shop.Cart.close(Cart.java:42)']],
    ['an unknown line resolves only the class (OutsideLineRange)', 'a.c(:99)', ['shop.Cart.c(Cart.java:99)']],
    ['a missing line resolves the method (OutsideLineRange)', 'a.c(Unknown Source)', ['shop.Cart.count(Cart.java)']],
    [
      'a missing line with several ranges for one method (AmbiguousWithMultipleLineMappings)',
      'a.a(Unknown)',
      ['shop.Cart.pay(Cart.java)'],
    ],
    [
      'a missing line in inlined code resolves the outermost method (InlineNoLineNumberAssumeNoInline)',
      'a.b(Unknown Source)',
      ['shop.Cart.sum(Cart.java)'],
    ],
    ['catch-all range (doc: Catch all range)', 'a.e(SourceFile:7)', ['shop.Cart.only(Cart.java:33)']],
    ['a catch-all range without a line', 'a.e(SourceFile)', ['shop.Cart.only(Cart.java:33)']],
    ['only an original range (NoObfuscationRangeMapping)', 'a.f(Bar.dummy:0)', ['shop.Cart.first(Cart.java:1)']],
    ['only an original line', 'a.g(Foo.dummy:2)', ['shop.Cart.second(Cart.java:3)']],
    ['0:0 is not a line', 'a.h(Baz.dummy:8)', ['shop.Cart.third(Cart.java)']],
    ['0 is not a line', 'a.i(Qux.dummy:7)', ['shop.Cart.fourth(Cart.java)']],
    ['a mapping without lines keeps the line', 'a.j(SourceFile:7)', ['shop.Cart.plain(Cart.java:7)']],
    [
      'a range that ends before it begins is ignored (InvalidMinifiedRange)',
      'a.k(:3)',
      ['shop.Cart.turned(Cart.java:3)'],
    ],
    [
      'an original range that ends before it begins is ignored (InvalidOriginalRange)',
      'a.l(:3)',
      ['shop.Cart.turnedBefore(Cart.java:3)'],
    ],
    ['a method that is missing from the mapping', 'a.toString(SourceFile:7)', ['shop.Cart.toString(Cart.java:7)']],
    [
      'a class that is missing from the mapping',
      'java.util.ArrayList.get(ArrayList.java:411)',
      ['java.util.ArrayList.get(ArrayList.java:411)'],
    ],
    ['a negative line is ignored', 'a.c(SourceFile:-1)', ['shop.Cart.count(Cart.java)']],
    ['native', 'a.a(Native Method)', ['shop.Cart.pay(Native Method)']],
  ])('%s', async (_, frame, expected) => {
    expect(await retraced(MAPPING, `\tat ${frame}`)).toEqual(expected.map((line) => `\tat ${line}`))
  })
})

describe('a frame without a line number', () => {
  it.each<[string, string, string[]]>([
    [
      'has line 0 in a method that begins at 1 (PreambleLineNumber)',
      '  1:1:void fail(int):122:122 -> a\n  2:2:void fail(int):124:124 -> a\n',
      ['fail(Result.kt)'],
    ],
    [
      'prefers a range that contains 0 (MultipleLinesNoLineNumber)',
      '  0:0:void inner(int):42:42 -> a\n  0:0:void main():28 -> a\n  1:1:void main():153 -> a\n',
      ['inner(Result.kt:42)', 'main(Result.kt:28)'],
    ],
    [
      'prefers a preamble (InlinePreambleNoOriginal)',
      '  0:1:void main() -> a\n  2:2:void inner():0:0 -> a\n  2:2:void main():0 -> a\n',
      ['main(Result.kt)'],
    ],
    [
      'prefers a method without a range (InlineNoLineAssumeNoInlineAmbiguous)',
      '  void other() -> a\n  2:2:void inner():0:0 -> a\n  2:2:void main():0 -> a\n',
      ['other(Result.kt)'],
    ],
    [
      'has the residual signature on the outermost frame (ResidualSignatureOnOuterFrame)',
      '  1:1:void go(x.Y):10:10 -> a\n  2:2:void go(x.Y):0:0 -> a\n  2:2:void go(x.Y):0 -> a\n  # {"id":"com.android.tools.r8.residualsignature","signature":"(LX;)V"}\n  3:3:void go(x.Y):30:30 -> a\n',
      ['go(Result.kt)'],
    ],
  ])('%s', async (_, methods, expected) => {
    const mapping = `${VERSION('2.2')}\nkotlin.ResultKt -> t:\n${methods}`
    expect(await retraced(mapping, '  at t.a(SourceFile)')).toEqual(
      expected.map((line) => `  at kotlin.ResultKt.${line}`),
    )
  })
})

describe('ambiguous frames', () => {
  it.each<[string, string, string, string[]]>([
    [
      'for overloads without lines (Ambiguous)',
      '  void foo(int) -> a\n  void bar(int, int) -> a\n',
      'a.a(Unknown Source)',
      ['at s.R.void bar(int,int)(R.java)', '<OR> at s.R.void foo(int)(R.java)'],
    ],
    [
      'for overloads without ranges, which keep the line (AmbiguousMissingLine)',
      '  void foo(int) -> a\n  void bar(int, int) -> a\n',
      'a.a(Unknown Source:7)',
      ['at s.R.void bar(int,int)(R.java:7)', '<OR> at s.R.void foo(int)(R.java:7)'],
    ],
    [
      'for overloads with a known line each (NoObfuscatedLineNumberWithOverride)',
      '  void one():7 -> a\n  void two(int):11 -> a\n',
      'a.a(Unknown Source)',
      ['at s.R.void one()(R.java:7)', '<OR> at s.R.void two(int)(R.java:11)'],
    ],
    [
      'for overloads that differ in return type, parameter count and parameters (AmbiguousWithSignature)',
      '  10:10:void foo(int):10:10 -> a\n  11:11:void foo(int, int):11:11 -> a\n' +
        '  12:12:void foo(int, boolean):12:12 -> a\n  13:13:boolean foo(int, int):13:13 -> a\n',
      'a.a(Unknown)',
      [
        'at s.R.boolean foo(int,int)(R.java)',
        '<OR> at s.R.void foo(int)(R.java)',
        '<OR> at s.R.void foo(int,boolean)(R.java)',
        '<OR> at s.R.void foo(int,int)(R.java)',
      ],
    ],
    [
      'unless a range excludes methods without one (OverloadedWithAndWithoutRange)',
      '  int select(int) -> a\n  3:3:void sync():425:425 -> a\n  void cancel() -> a\n',
      'a.a(SourceFile:3)',
      ['at s.R.void sync()(R.java:425)'],
    ],
    [
      'for overloads on one line (OverloadSameLine)',
      '    1:1:void on():7:7 -> a\n    1:1:void on(x.S):13:13 -> a\n    1:1:void on(int):15:15 -> a\n',
      'a.a(Main.java:1)',
      ['at s.R.void on()(R.java:7)', '<OR> at s.R.void on(int)(R.java:15)', '<OR> at s.R.void on(x.S)(R.java:13)'],
    ],
    [
      'for one line that stands for several (AmbiguousInlineFrames)',
      '  1:1:void foo(int):42:44 -> a\n  1:1:void bar(int, int):32 -> a\n  1:1:void baz(int):10 -> a\n',
      'a.a(Unknown Source:1)',
      [
        'at s.R.void foo(int)(R.java:42)',
        '<OR> at s.R.void foo(int)(R.java:43)',
        '<OR> at s.R.void foo(int)(R.java:44)',
        'at s.R.void bar(int,int)(R.java:32)',
        'at s.R.void baz(int)(R.java:10)',
      ],
    ],
    [
      'for a missing line with several original lines (MultipleOriginalLinesNoLineNumber)',
      '    void one(int):42:43 -> a\n',
      'a.a(Unknown Source)',
      ['at s.R.void one(int)(R.java:42)', '<OR> at s.R.void one(int)(R.java:43)'],
    ],
    [
      'for a line outside the original range (DifferentLineNumberSpan)',
      '  void one(int):42:44 -> a\n',
      'a.a(Unknown Source:1)',
      [
        'at s.R.void one(int)(R.java:42)',
        '<OR> at s.R.void one(int)(R.java:43)',
        '<OR> at s.R.void one(int)(R.java:44)',
      ],
    ],
    [
      'for code inlined into two overloads (AmbiguousMultipleInline)',
      '  10:10:void x.A.one(int):10:10 -> a\n  10:10:void foo(int):10 -> a\n  11:12:void foo(int):11:12 -> a\n' +
        '  10:10:void x.A.two(int):20:20 -> a\n  10:10:void foo(int, int):42 -> a\n',
      'a.a(SourceFile:10)',
      [
        'at x.A.void one(int)(A.java:10)',
        '<OR> at x.A.void two(int)(A.java:20)',
        'at s.R.void foo(int)(R.java:10)',
        '<OR> at s.R.void foo(int,int)(R.java:42)',
      ],
    ],
  ])('lists every candidate %s', async (_, methods, frame, expected) => {
    expect(await retraced(`s.R -> a:\n${methods}`, `\tat ${frame}`, true)).toEqual(expected.map((line) => `\t${line}`))
  })
})

describe('source files of frames', () => {
  it('takes source files from R8, even for inlined classes (InlineSourceFile)', async () => {
    const mapping = `
foo.Bar -> a:
# {"id":"sourceFile","fileName":"SourceFile1.kt"}
foo.Baz -> b:
# {"id":"sourceFile","fileName":"SourceFile2.kt"}
    1:1:void foo.Bar.inner():22:22 -> c
    1:1:void main(java.lang.String[]):32 -> c
`
    expect(await retraced(mapping, '  at b.c(Unknown Source:1)')).toEqual([
      '  at foo.Bar.inner(SourceFile1.kt:22)',
      '  at foo.Baz.main(SourceFile2.kt:32)',
    ])
  })

  it.each([
    ['App:800', 'R8.java:800'],
    ['Native Method', 'Native Method'],
    ['Main.kt:1', 'R8.kt:1'],
    ['Main.foo', 'R8.java'],
    ['', 'R8.java'],
    ['SourceFile:1', 'R8.java:1'],
    [':foo::bar:1', 'R8.java:1'],
  ])(
    'changes the source file %s to %s if the mapping has none (FileNameExtension, ColonInFileName)',
    async (reported, expected) => {
      expect(await retraced('x.R8 -> R8:', `    at R8.main(${reported})`)).toEqual([`    at x.R8.main(${expected})`])
    },
  )

  it.each([
    ['foo.Bar$Baz$Qux', 'Bar.java'],
    ['foo.MenuKt', 'Menu.kt'],
    ['foo.MenuKt$inner$1', 'Menu.kt'],
    ['foo.$Proxy', '$Proxy.java'],
    ['foo.ComposableSingletons$MenuKt$lambda-1$1', 'Menu.kt'],
    ['foo.ComposableSingletons', 'ComposableSingletons.java'],
  ])(
    'derives the source file from the class %s: %s (SourceFileNameSynthesize, InlineFileNameWithInnerClasses)',
    async (name, file) => {
      expect(await retraced(`${name} -> a:`, 'at a.b(X:3)')).toEqual([`at ${name}.b(${file}:3)`])
    },
  )
})

describe('frames generated by the compiler', () => {
  const LAMBDA = `
example.Main -> example.Main:
  1:1:void main(java.lang.String[]):123 -> main
example.Foo -> a.a:
  5:5:void lambda$main$0():225 -> a
  3:3:void runIt():218 -> b
example.Foo$$ExternalSyntheticLambda0 -> a.b:
  void run(example.Foo) -> a
    # {'id':'com.android.tools.r8.synthesized'}
  4:4:void example.Foo.lambda$main$1():226 -> c
  4:4:void run(example.Foo):0 -> c
    # {'id':'com.android.tools.r8.synthesized'}
`
  it('omits frames that the compiler generated (SyntheticLambdaMethod, SyntheticLambdaMethodWithInlining)', async () => {
    const stack = '  at a.a.a(a.java:5)\n  at a.b.a(Unknown Source)\n  at a.b.c(Unknown Source:4)\n  at a.a.b(a.java:3)'
    expect(await retraced(`${VERSION('1.0')}${LAMBDA}`, stack)).toEqual([
      '  at example.Foo.lambda$main$0(Foo.java:225)',
      '  at example.Foo.lambda$main$1(Foo.java:226)',
      '  at example.Foo.runIt(Foo.java:218)',
    ])
  })

  it('keeps generated frames if the file does not declare its version', async () => {
    expect(await retraced(LAMBDA, '  at a.b.a(Unknown Source)')).toEqual([
      '  at example.Foo$$ExternalSyntheticLambda0.run(Foo.java)',
    ])
  })

  it('recognizes generated frames on every line of the method (MovedSynthetizedInfo)', async () => {
    const mapping = `
${VERSION('2.2')}
tools.Base$Builder -> foo.bar:
    1:1:void inlinee(int):0:0 -> m
    1:1:void m$synthetic(int):0:0 -> m
    2:2:void inlinee(int):206:206 -> m
    2:2:void m$synthetic(int):0:0 -> m
      # {"id":"com.android.tools.r8.synthesized"}
    7:7:void error(int):363:363 -> m
    7:7:void inlinee(int):210 -> m
    7:7:void m$synthetic(int):0:0 -> m
`
    expect(await retraced(mapping, '\tat foo.bar.m(Base.java:2)\n\tat foo.bar.m(Base.java:7)')).toEqual([
      '\tat tools.Base$Builder.inlinee(Base.java:206)',
      '\tat tools.Base$Builder.error(Base.java:363)',
      '\tat tools.Base$Builder.inlinee(Base.java:210)',
    ])
  })

  it('omits frames of whole generated classes', async () => {
    const mapping = `
${VERSION('2.0')}
shop.Synthetic -> x:
# {"id":"com.android.tools.r8.synthesized"}
    1:1:void shop.Cart.pay():7:7 -> a
    1:1:void call():0 -> a
`
    expect(await retraced(mapping, 'at x.a(SourceFile:1)')).toEqual(['at shop.Cart.pay(Cart.java:7)'])
  })
})

describe('the rewriteFrame rule', () => {
  const MAPPING = `
${VERSION('2.0')}
some.Class -> a:
  4:4:void other.Class.inlinee():23:23 -> a
  4:4:void caller(other.Class):7 -> a
  # { id: 'com.android.tools.r8.rewriteFrame', conditions: ['throws(Ljava/lang/NullPointerException;)'], actions: ['removeInnerFrames(1)'] }
`
  const inner = '\tat other.Class.inlinee(Class.java:23)'
  const outer = '\tat some.Class.caller(Class.java:7)'

  it.each([
    ['removes the inner frame under the exception (doc)', 'java.lang.NullPointerException: x', [outer]],
    [
      'also applies without a message (NpeInlineRetrace)',
      'Exception in thread "main" java.lang.NullPointerException',
      [outer],
    ],
    ['also applies under a cause', 'Caused by: java.lang.NullPointerException', [outer]],
    ['does not apply under another exception', 'java.io.IOException: x', [inner, outer]],
    [
      'does not apply further down',
      'java.lang.NullPointerException\n\tat x.y(Z.java:1)',
      ['\tat x.y(Z.java:1)', inner, outer],
    ],
  ])('%s', async (_, above, expected) => {
    const lines = await retraced(MAPPING, `${above}\n\tat a.a(:4)`)
    expect(lines.slice(1)).toEqual(expected)
  })

  it('applies the rule in the middle of a chain (InlineRemoveFrameJava17)', async () => {
    const mapping = `
${VERSION('2.2')}
foo.Class -> A:
    1:5:void inlinable():90:90 -> a
    1:5:void caller():97 -> a
      # {"id":"com.android.tools.r8.rewriteFrame","conditions":["throws(Ljava/lang/NullPointerException;)"],"actions":["removeInnerFrames(1)"]}
    1:5:void outer():107 -> a
`
    expect(await retraced(mapping, 'java.lang.NullPointerException\n\tat A.a(SourceFile:1)')).toEqual([
      'java.lang.NullPointerException',
      '\tat foo.Class.caller(Class.java:97)',
      '\tat foo.Class.outer(Class.java:107)',
    ])
  })

  it('recognizes renamed exceptions, combines conditions with AND, and ignores unknown rules', async () => {
    const rule = (conditions: string[], actions: string[]) =>
      `${VERSION('2.0')}\nshop.Broken -> e:\nshop.Cart -> a:\n  4:4:void inner():1:1 -> a\n  4:4:void outer():2 -> a\n` +
      `  # ${JSON.stringify({ id: 'com.android.tools.r8.rewriteFrame', conditions, actions })}\n`
    const frames = async (conditions: string[], actions: string[]) =>
      (await retraced(rule(conditions, actions), 'e: x\nat a.a(:4)')).length - 1
    expect(await frames(['throws(Le;)'], ['removeInnerFrames(1)'])).toBe(1)
    expect(await frames(['throws(Lshop/Broken;)'], ['removeInnerFrames(1)'])).toBe(1)
    expect(await frames(['throws(Le;)', 'throws(Lf;)'], ['removeInnerFrames(1)'])).toBe(2)
    expect(await frames(['on(monday)'], ['removeInnerFrames(1)'])).toBe(2)
    expect(await frames(['throws(Le;)'], ['paint(red)'])).toBe(2)
    expect(await frames(['throws(Le;)'], ['removeInnerFrames(9)'])).toBe(2)
  })
})

describe('outlined methods', () => {
  const CALLER = `
some.Class -> b:
  1:1:void foo.bar.Baz.qux():42:42 -> s
  4:4:int outlineCaller(int):98:98 -> s
  5:5:int foo.bar.baz.outlineCaller(int):100:100 -> s
  5:5:int outlineCaller(int):24 -> s
  27:27:int outlineCaller(int):0:0 -> s
# { 'id':'com.android.tools.r8.outlineCallsite', 'positions': { '1': 4, '2': 5 } }`

  it.each([
    ['pass their position to the caller (doc, OutlineSimple)', 1, ['some.Class.outlineCaller(Class.java:98)']],
    [
      'pass their position to an inlined caller (OutlineWithInlining)',
      2,
      ['foo.bar.baz.outlineCaller(baz.java:100)', 'some.Class.outlineCaller(Class.java:24)'],
    ],
  ])('%s', async (_, line, expected) => {
    const mapping = `${VERSION('2.0')}\noutline.Class -> a:\n  1:2:int outline() -> a\n# { 'id':'com.android.tools.r8.outline' }${CALLER}`
    expect(await retraced(mapping, `\tat a.a(:${line})\n\tat b.s(:27)`)).toEqual(
      expected.map((frame) => `\tat ${frame}`),
    )
  })

  it.each(['2.0', undefined])(
    'recognizes outlines on every line, whichever line R8 marks (version: %s)',
    async (version) => {
      const mapping = `${version ? VERSION(version) : ''}
outline.Class -> a:
  1:2:int outline():0:0 -> a
# { 'id':'com.android.tools.r8.outline' }
  3:5:int outline():1:1 -> a
some.Class -> b:
  27:30:int outlineCaller(int):0:0 -> s
# { 'id':'com.android.tools.r8.outlineCallsite', 'positions': { '1': 50, '3': 52 }, 'outline':'La;a()I' }
  50:50:int outlineCaller(int):98:98 -> s
  52:52:int outlineCaller(int):100:100 -> s`
      expect(await retraced(mapping, '\tat a.a(:1)\n\tat b.s(:27)')).toEqual([
        '\tat some.Class.outlineCaller(Class.java:98)',
      ])
      expect(await retraced(mapping, '\tat a.a(:4)\n\tat b.s(:27)')).toEqual([
        '\tat some.Class.outlineCaller(Class.java)',
      ])
      expect(await retraced(mapping, '\tat a.a(:3)\n\tat b.s(:27)')).toEqual([
        '\tat some.Class.outlineCaller(Class.java:100)',
      ])
    },
  )

  it('keeps code inlined into outlines (InlineInOutline)', async () => {
    const mapping = `
${VERSION('2.0')}
outline.Class -> a:
  1:2:int some.inlinee():75:76 -> a
  1:2:int outline():0 -> a
# { 'id':'com.android.tools.r8.outline' }${CALLER}`
    expect(await retraced(mapping, '\tat a.a(:2)\n\tat b.s(:27)')).toEqual([
      '\tat some.inlinee(some.java:76)',
      '\tat foo.bar.baz.outlineCaller(baz.java:100)',
      '\tat some.Class.outlineCaller(Class.java:24)',
    ])
  })

  it('resolves nested outlines (OutlineInOutline)', async () => {
    const mapping = `
${VERSION('2.0')}
outline1.Class -> a:
  4:4:int outline():0:0 -> a
# { 'id':'com.android.tools.r8.outline' }
outline2.Class -> b:
  6:6:int outline():0:0 -> a
# { 'id':'com.android.tools.r8.outlineCallsite', 'positions': { '4': 43 } }
  42:43:int outline():0:0 -> a
# { 'id':'com.android.tools.r8.outline' }
some.Class -> c:
  10:11:int outlineCaller(int):98:98 -> a
  28:28:int outlineCaller(int):0:0 -> a
# { 'id':'com.android.tools.r8.outlineCallsite', 'positions': { '42': 10, '43': 11 } }
`
    expect(await retraced(mapping, '\tat a.a(:4)\n\tat b.a(:6)\n\tat c.a(:28)')).toEqual([
      '\tat some.Class.outlineCaller(Class.java:98)',
    ])
  })

  it('matches outlines by their descriptor if the call site names one', async () => {
    const mapping = (outline: string, residual = '') => `
${VERSION('2.2')}
outline.Class -> a.b:
  1:2:int outline() -> c
# {"id":"com.android.tools.r8.outline"}
${residual}
some.Class -> x:
  4:4:int caller(int):98:98 -> s
  27:27:int caller(int):0:0 -> s
# {"id":"com.android.tools.r8.outlineCallsite","positions":{"1":4},"outline":"${outline}"}
`
    const stack = 'at a.b.c(:1)\nat x.s(:27)'
    expect(await retraced(mapping('La/b;c()I'), stack)).toEqual(['at some.Class.caller(Class.java:98)'])
    expect(await retraced(mapping('La/z;c()I'), stack)).toEqual(['at some.Class.caller(Class.java)'])
    // The residual signature distinguishes outlines with the same name.
    const residual = '# {"id":"com.android.tools.r8.residualsignature","signature":"(J)I"}'
    expect(await retraced(mapping('La/b;c(J)I', residual), stack)).toEqual(['at some.Class.caller(Class.java:98)'])
    expect(await retraced(mapping('La/b;c()I', residual), stack)).toEqual(['at some.Class.caller(Class.java)'])
  })
})

describe('other lines in a stack', () => {
  it.each([
    ['Caused by: a.b.c: gone', 'Caused by: foo.Bar: gone'],
    ['Suppressed: a.b.c: gone', 'Suppressed: foo.Bar: gone'],
    ['Exception in thread "main" a.b.c', 'Exception in thread "main" foo.Bar'],
    ['\t... 12 more', '\t... 12 more'],
    ['        [CIRCULAR REFERENCE:a.b.c]', '        [CIRCULAR REFERENCE:foo.Bar]'],
    ['\t[CIRCULAR REFERENCE: a.b.c: message]', '\t[CIRCULAR REFERENCE: foo.Bar: message]'],
    ['        [CIRCULAR REFERENCE:a.b.c', '        [CIRCULAR REFERENCE:a.b.c'],
    ['', ''],
    // symup differs from R8 here. R8 treats the class in the message as the exception and documents this as a bug
    // (ExceptionMessageWithClassNameInMessage).
    ['E Tag.x: java.io.E: ary: a.b.c::ERR, code=5', 'E Tag.x: java.io.E: ary: foo.Bar::ERR, code=5'],
    ['\tat loader//a.b.c.m(App.java:12)', '\tat loader//foo.Bar.m(Bar.java:12)'],
    ['\tat app/module@9.0/a.b.c.m(:12)', '\tat app/module@9.0/foo.Bar.m(Bar.java:12)'],
    [
      '\tat a.b.c$$Lambda$14/0x0000000800c03000.run(Unknown Source)',
      '\tat foo.Bar$$Lambda$14/0x0000000800c03000.run(Bar.java)',
    ],
    ['\tat a.b.c.m(X.java:3) ~[lib(1).jar:1.0]', '\tat foo.Bar.m(Bar.java:3) ~[lib(1).jar:1.0]'],
    ['\tat a.b.c.m(X.java:3) [lib.jar:?]', '\tat foo.Bar.m(Bar.java:3) [lib.jar:?]'],
    [
      '11-21 01:46:00.123  42  42 E AndroidRuntime: \tat a.b.c.m(X.java:3)',
      '11-21 01:46:00.123  42  42 E AndroidRuntime: \tat foo.Bar.m(Bar.java:3)',
    ],
  ])('resolves other lines: %s', async (line, expected) => {
    expect(await retraced('foo.Bar -> a.b.c:\n', line)).toEqual([expected])
  })
})

it('finds a lambda class from D8, which is in the mapping under its own name', async () => {
  const mapping = [
    'foo.-$$Lambda$ucBv -> foo.-$$Lambda$ucBv:',
    '    2:2:void foo.Main.clicked(android.view.View):29:29 -> onClick',
    '    2:2:void onClick(android.view.View):0:0 -> onClick',
  ].join('\n')
  expect((await retraced(mapping, 'at foo.-$$Lambda$ucBv.onClick(-.java:2)'))[0]).toBe(
    'at foo.Main.clicked(Main.java:29)',
  )
})

it.each([0, 7, 24, 25])('reads a class line across a chunk boundary (%i)', async (before) => {
  const piece = 4 * 1024 * 1024
  const head = 'a.First -> a:\n'
  const line = '    1:1:void m():1:1 -> m\n'
  const members = line.repeat(Math.floor((piece - before - head.length - 2) / line.length))
  const filler = `#${' '.repeat(piece - before - head.length - members.length - 2)}\n`
  const mapping = `${head}${members}${filler}shop.Cart -> b.c:\n    5:5:void total():98:98 -> t\n`
  expect(await retraced(mapping, 'at b.c.t(X:5)')).toEqual(['at shop.Cart.total(Cart.java:98)'])
})
