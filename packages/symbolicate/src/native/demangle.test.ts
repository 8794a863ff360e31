import { expect, it } from 'vitest'
import { demangle } from './demangle.ts'

// The right side is what `llvm-cxxfilt` 19 prints.
it.each([
  ['_ZNK4shop4Line5priceEv', 'shop::Line::price() const'],
  ['__ZN4shopL7checkedEi', 'shop::checked(int)'],
  ['_Znwj', 'operator new(unsigned int)'],
  ['_ZNSt6vectorIiSaIiEE9push_backEOi', 'std::vector<int, std::allocator<int>>::push_back(int&&)'],
  [
    '_ZNSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE6appendEPKc',
    'std::__1::basic_string<char, std::__1::char_traits<char>, std::__1::allocator<char>>::append(char const*)',
  ],
  ['_ZZN1a1bEvENK3$_0clEv', 'a::b()::$_0::operator()() const'],
  ['_ZZ4mainENKUlvE_clEv', "main::'lambda'()::operator()() const"],
  ['_ZN3FooIJidEEC2Ev', 'Foo<int, double>::Foo()'],
  ['_ZN1AD0Ev', 'A::~A()'],
  ['_ZN1a1fB5cxx11Ev', 'a::f[abi:cxx11]()'],
  ['_RNvCs1234_7mycrate3foo', 'mycrate::foo'],
])('%s', (mangled, name) => {
  expect(demangle(mangled)).toBe(name)
})

// Known differences to LLVM, on purpose of the library: shorter and easier to read.
it.each([
  ['_Z3FooIidEvi', 'Foo<int, double>(int)', 'LLVM puts the result type of a template function before it: void Foo…'],
  [
    '_ZN4core3fmt9Formatter3pad17h0123456789abcdefE',
    'core::fmt::Formatter::pad',
    "LLVM shows Rust's hash: …::h0123456789abcdef",
  ],
  ['_ZL3bari.llvm.123', 'bar(int) [clone .llvm.123]', 'LLVM: bar(int) (.llvm.123)'],
])('%s → %s (%s)', (mangled, name) => {
  expect(demangle(mangled)).toBe(name)
})

it('leaves alone what is not mangled or cannot be', () => {
  for (const name of ['main', 'Java_com_example_shop_Native_total', '_ZNZNZN', '', '_Z', '_R'])
    expect(demangle(name)).toBe(name)
  expect(demangle(`_ZN${'1a'.repeat(10_000)}Ev`)).toHaveLength(20_005)
})

it('does not run away on names made to grow', () => {
  // Each substitution doubles what it stands for.
  const bomb = `_Z1f${'I1aIS_'.repeat(200)}`
  expect(demangle(bomb).length).toBeLessThan(40_000)
  const doubling = `_ZN1a1bI${Array.from({ length: 30 }, (_, index) => `NS${index === 0 ? '' : index.toString(36).toUpperCase()}_1cE`).join('')}E1dEv`
  expect(demangle(doubling).length).toBeLessThan(40_000)
})
