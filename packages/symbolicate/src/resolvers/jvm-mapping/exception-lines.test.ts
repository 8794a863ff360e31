import { expect, it } from 'vitest'
import { retrace } from './retrace-text.ts'

const MAPPING = `shop.PayError -> p2.a:
shop.Cart -> b.a:
    1:1:void pay():9:9 -> c
shop.Cart$Item -> b.a$b:
shop.Session -> a:
shop.Log -> e.g:
`
const retraced = async (stack: string) => retrace(stack, Buffer.from(MAPPING))

it.each([
  '                                    ',
  '\t',
  '2026-11-23 12:11:44.418 31080-31080 AndroidRuntime          pid-31080                            E  ',
  '11-23 12:11:44.418 31080 31080 E AndroidRuntime: ',
  'E/AndroidRuntime(31080): ',
  'E/AndroidRuntime(31080): FATAL EXCEPTION: main ',
  'E  ',
  'E AndroidRuntime ',
  '[ERROR] ',
  'ERROR ',
  '[main] ERROR shop - ',
  '2026-11-23T12:11:44.418Z ',
  '12:11:44,418 ',
  'app_1  | ',
  'Exception in thread "main" ',
  'Caused by: ',
  '    Caused by: ',
  'E  Caused by: ',
  'Suppressed: ',
  'FATAL EXCEPTION: main ',
  '*** ',
  '! ',
  '│ ',
  '1. ',
  'Exception in thread main ',
  '1764384712418 ',
  'LOG  ',
  '"',
  '```',
  '<log4j:throwable><![CDATA[',
])('recognizes the class of an exception after %j', async (head) => {
  for (const rest of ['', ': message', ': '])
    expect(await retraced(`${head}p2.a${rest}\n\tat x.y(Z.java:1)`)).toBe(
      `${head}shop.PayError${rest}\n\tat x.y(Z.java:1)`,
    )
})

it.each(['    ', 'E  ', '[ERROR] ', '12:11:44.418 ', 'FATAL EXCEPTION: main '])(
  'recognizes a class without a package after %j',
  async (head) => expect(await retraced(`${head}a: message`)).toBe(`${head}shop.Session: message`),
)

it.each([
  ['no class p2.a', 'no class shop.PayError'],
  ['p2.a cannot be cast to b.a', 'shop.PayError cannot be cast to shop.Cart'],
  ['class a cannot be cast to class b.a$b (', 'class shop.Session cannot be cast to class shop.Cart$Item ('],
  ['a cannot be cast to a', 'shop.Session cannot be cast to shop.Session'],
  [
    "Parameter p2.a, b.a; (b.a) 'b.a' [b.a].",
    "Parameter shop.PayError, shop.Cart; (shop.Cart) 'shop.Cart' [shop.Cart].",
  ],
  ['Failed resolution of: Lb/a;', 'Failed resolution of: Lshop/Cart;'],
  ['[Lb.a; of [Lb/a$b;', '[Lshop.Cart; of [Lshop/Cart$Item;'],
  ['b.a@1f2e3d', 'shop.Cart@1f2e3d'],
  ['a@1f2e3d', 'shop.Session@1f2e3d'],
  ['a and b.a are in unnamed module of', 'shop.Session and shop.Cart are in unnamed module of'],
  ['[La; and [Lb.a$b;', '[Lshop.Session; and [Lshop.Cart$Item;'],
  ['b/a (wrong name: b/a$b)', 'shop/Cart (wrong name: shop/Cart$Item)', 'b/a (wrong name: shop/Cart$Item)'],
  [`Didn't find class "a" on path`, `Didn't find class "shop.Session" on path`],
  ["declaration of 'a' appears in", "declaration of 'shop.Session' appears in"],
  ['java.lang.Class<a> has no', 'java.lang.Class<shop.Session> has no'],
  ['No enum constant b.a.PLAY', 'No enum constant shop.Cart.PLAY'],
  // None of these is a class: a method, a field, a path, an English word, and part of another name.
  ["method 'void b.a()' on a null object", "method 'void b.a()' on a null object"],
  ["read from field 'int b.a' on a null", "read from field 'int b.a' on a null"],
  ['because "b.a" is null', 'because "b.a" is null'],
  ['/b.a https://b.a/x b.a/x x/b.a b.a-b b.a.c xb.a b.ab', '/b.a https://b.a/x b.a/x x/b.a b.a-b b.a.c xb.a b.ab'],
  ['expected a cart, e.g. one', 'expected a cart, e.g. one'],
])('finds class names in the message %j: %j', async (message, expected, inText = expected) => {
  expect(await retraced(`java.lang.E: ${message}`)).toBe(`java.lang.E: ${expected}`)
  expect(await retraced(`p2.a: it failed\n${message}`)).toBe(`shop.PayError: it failed\n${inText}`)
})

it.each([
  'at @',
  '#011at @',
  'Nov 23 12:11:44 host java[1]: #011at @',
  '"at @",',
  'at @```',
  'at app//@ ~[app.jar!/:1.0]',
])('recognizes the frame %j', async (line) => {
  const of = (frame: string) => line.replace('@', frame)
  expect(await retraced(of('b.a.c(SourceFile:1)'))).toBe(of('shop.Cart.pay(Cart.java:9)'))
})

it('does not change text that is not a message', async () => {
  const text = 'b.a and class b.a\n\tat x.y(Z.java:1)\nb.a and class b.a'
  expect(await retraced(text)).toBe(text)
})
