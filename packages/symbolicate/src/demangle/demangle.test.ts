import { expect, it } from 'vitest'
import { randomOf } from '../../../../test/support/random.ts'
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
  ['_ZThn16_N4shop4Cart5totalEv', 'non-virtual thunk to shop::Cart::total()'],
  ['_ZTv0_n24_N4shop4CartD1Ev', 'virtual thunk to shop::Cart::~Cart()'],
  ['_ZTCN4shop4CartE0_NS_4BaseE', 'construction vtable for shop::Base-in-shop::Cart'],
  ['_ZTVN4shop4CartE', 'vtable for shop::Cart'],
  ['_ZGVZN4shop4Cart3oneEvE4only', 'guard variable for shop::Cart::one()::only'],
  ['_ZN4shop3addIJEEEvDpT_', 'void shop::add<>()'],
  ['_ZN4shop3addIJidEEEvDpT_', 'void shop::add<int, double>(int, double)'],
  [
    '_ZN4shop4sortIiPFbRKiS2_EEEvT_T0_',
    'void shop::sort<int, bool (*)(int const&, int const&)>(int, bool (*)(int const&, int const&))',
  ],
  ['_ZN4shop1fEPA3_KiRA2_cM4CartFivE', 'shop::f(int const (*) [3], char (&) [2], int (Cart::*)())'],
  ['_ZN4CartcvT_IiEEv', 'Cart::operator int<int>()'],
  ['_ZN4CartcvPKcEv', 'Cart::operator char const*()'],
  ['_ZNKR4Cart3getEv', 'Cart::get() const &'],
  ['_ZN4shop3sumIiEEDTplfp_fp_ET_', 'decltype(fp + fp) shop::sum<int>(int)'],
  ['_ZZN4shop5totalEvENKUlT_E_clIiEEDaS0_', "auto shop::total()::'lambda'(auto)::operator()<int>(auto) const"],
  ['_ZN4shop5ArrayIiLm3EE2atEm', 'shop::Array<int, 3ul>::at(unsigned long)'],
  [
    '_ZNSsC1ERKSs',
    'std::basic_string<char, std::char_traits<char>, std::allocator<char>>::basic_string(std::string const&)',
  ],
  [
    '_ZNSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEC1B8ne190000ILi0EEEPKc',
    'std::__1::basic_string<char, std::__1::char_traits<char>, std::__1::allocator<char>>::basic_string[abi:ne190000]<0>(char const*)',
  ],
  [
    '_ZN4shop3maxIiTnNSt9enable_ifIXsr3std11is_integralIT_EE5valueEiE4typeELi0EEES3_S3_S3_',
    'std::enable_if<std::is_integral<int>::value, int> shop::max<int, 0>(std::enable_if<std::is_integral<int>::value, int>, std::enable_if<std::is_integral<int>::value, int>)',
  ],
  ['_ZL3bari.llvm.123', 'bar(int) (.llvm.123)'],
  ['_ZN4shop4CartUt0_C2Ev', "shop::Cart::'unnamed0'::()"],
  ['_Z3FooIidEvi', 'void Foo<int, double>(int)'],
  ['___ZN4shop4Cart5totalEv_block_invoke', 'invocation function for block in shop::Cart::total()'],
  ['_ZN4shop4nextEDF16_DB7_', 'shop::next(_Float16, _BitInt(7))'],
  ['_ZN4shop5applyIXadL_ZNS_4CartEvEEEEvv', 'void shop::apply<&shop::Cart()>()'],
  ['_Z3fooPU19objcproto9NSCopying11objc_object', 'foo(id<NSCopying>)'],
  ['_Z3fooRU19objcproto9NSCopying3Foo', 'foo(Foo<NSCopying>&)'],
  ['_Z3fooPKU19objcproto9NSCopying11objc_object', 'foo(objc_object<NSCopying> const*)'],
  ['_Z3fooPU19objcproto9NSCopyingU11objcproto1A11objc_object', 'foo(objc_object<A><NSCopying>*)'],
  ['_Z3fooPU8__strongPU19objcproto9NSCopying11objc_object', 'foo(id<NSCopying> __strong*)'],
  ['_ZNKSt6vectorIiSaIiEE4sizeEv@@GLIBCXX_3.4', 'std::vector<int, std::allocator<int>>::size() const@@GLIBCXX_3.4'],
])('%s', (mangled, name) => {
  expect(demangle(mangled)).toBe(name)
})

// C++20, of clang 19: modules and their partitions, constraints, and literals that are not whole numbers; as llvm-cxxfilt 19 prints them.
it.each([
  ['_ZGIW4shopW4tillWP4part', 'initializer for module shop.till:part'],
  ['_ZN4shopW4shopW4till4Cart3addEi', 'shop::Cart@shop.till::add(int)'],
  ['_ZW4shopW4till7free_fnN4shopS0_4CartEPS2_', 'free_fn@shop.till(shop::Cart@shop.till, shop::Cart@shop.till*)'],
  ['_Z1aIiQ1CIT_EEvS0_', 'void a<int>(T)'],
  ['_Z1bIiEvT_Q1CIS0_E', 'void b<int>(int) requires C<int>'],
  [
    '_Z1rI1SEiT_QrQS1_i_Xcldtfp_3payfp0_EXcldtfp_1xENTNS1_4typeEQgtstS1_Li1EXplfp_fp0_NR1CE',
    'int r<S>(S) requires requires (S, int) { fp.pay(fp0); {fp.x()} noexcept; typename S::type; requires sizeof (S) > 1; {fp + fp0} noexcept -> C; }',
  ],
  ['_Z1fILf3fc00000EEvv', 'void f<0x1.8p+0f>()'],
  ['_Z1fILf80000000EEvv', 'void f<-0x0p+0f>()'],
  ['_Z1dILd0000000000000001EEvv', 'void d<0x0.0000000000001p-1022>()'],
  ['_Z1dILdfff0000000000000EEvv', 'void d<-inf>()'],
  ['_Z1lILe3fffc000000000000000EEvv', 'void l<0xcp-3L>()'],
])('%s', (mangled, name) => {
  expect(demangle(mangled)).toBe(name)
})

// As `rustc-demangle` prints them, without the hash at the end.
it.each([
  ['_RNvCs1234_7mycrate3foo', 'mycrate::foo'],
  ['_ZN4core3fmt9Formatter3pad17h0123456789abcdefE', 'core::fmt::Formatter::pad'],
  [
    '__ZN51_$LT$shop..Cart$u20$as$u20$core..iter..Iterator$GT$4next28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE.llvm.42',
    '<shop::Cart as core::iter::Iterator>::next::{{closure}}',
  ],
  ['_RINvMs0_NtCs1Jtr1MOEUFv_4shop4cartNtB6_4Cart3addmECs1_3app.llvm.1247', '<shop::cart::Cart>::add::<u32>'],
])('%s', (mangled, name) => {
  expect(demangle(mangled)).toBe(name)
})

// The left side is out of crash reports of Kotlin Multiplatform apps.
it.each([
  ['kfun:#main(){}', 'main()'],
  [
    'kfun:kotlinx.coroutines.StandaloneCoroutine.handleJobException#internal',
    'kotlinx.coroutines.StandaloneCoroutine.handleJobException',
  ],
  [
    'kfun:kotlinx.coroutines#handleCoroutineException(kotlin.coroutines.CoroutineContext;kotlin.Throwable){}',
    'kotlinx.coroutines.handleCoroutineException(kotlin.coroutines.CoroutineContext, kotlin.Throwable)',
  ],
  [
    'kfun:kotlinx.coroutines.JobSupport#handleJobException(kotlin.Throwable){}kotlin.Boolean-trampoline',
    'kotlinx.coroutines.JobSupport.handleJobException(kotlin.Throwable) (trampoline)',
  ],
  [
    'kfun:com.shop#total__at__kotlin.collections.List<0:0>(kotlin.Function1<0:0,kotlin.Int>){0§<kotlin.Any?>}kotlin.Int',
    'com.shop.total(kotlin.collections.List<0:0>, kotlin.Function1<0:0,kotlin.Int>)',
  ],
  ['kfun:kotlin.Exception.<init>()kotlin.Exception', 'kotlin.Exception.<init>()'],
  [
    'kfun:androidx.compose.ui.platform.FlushCoroutineDispatcher.dispatch$lambda$1$lambda$0#internal',
    'androidx.compose.ui.platform.FlushCoroutineDispatcher.dispatch$lambda$1$lambda$0',
  ],
])('%s', (mangled, name) => {
  expect(demangle(mangled)).toBe(name)
})

it('leaves alone what is not mangled or cannot be', () => {
  for (const name of ['main', 'Java_com_example_shop_Native_total', '_ZNZNZN', '', '_Z', '_R', '_Rb_tree_impl'])
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

it('takes any name: damaged ones stay as they are', () => {
  const names = [
    '_ZN4shop3maxIiTnNSt9enable_ifIXsr3std11is_integralIT_EE5valueEiE4typeELi0EEES3_S3_S3_',
    '_ZZN4shop5totalEvENKUlT_E_clIiEEDaS0_',
    '_ZN4shop4sortIiPFbRKiS2_EEEvT_T0_',
  ]
  const random = randomOf(7)
  const LETTERS = 'NSTIEKPRODJLXZUvild_0123456789s'
  for (let round = 0; round < 20_000; round++) {
    const letters = [...(names[round % names.length] as string)]
    for (let count = 1 + random(4); count > 0; count--)
      letters[2 + random(letters.length - 2)] = LETTERS[random(LETTERS.length)] as string
    expect(demangle(letters.join('')).length).toBeLessThan(40_000)
  }
  expect(demangle(`_Z1f${'P'.repeat(8000)}i`)).toMatch(/^f\(int\*+\)$|^_Z1fP/)
})
