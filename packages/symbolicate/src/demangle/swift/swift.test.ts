import { expect, it } from 'vitest'
import { randomOf } from '../../../../../test/support/random.ts'
import { demangleSwift } from './index.ts'

it('a name that stands for more than 32 KiB is left as it is', () => {
  const printed = (bytes: number) => demangleSwift(`$s1a${bytes - 8}${'b'.repeat(bytes - 8)}yyF`)
  expect(printed(100)).toHaveLength(demangleSwift(`$s1a92${'b'.repeat(92)}yyF`)?.length ?? 0)
  const extra = (printed(100)?.length ?? 0) - 100
  expect([printed(32 * 1024 - extra)?.length, printed(32 * 1024 - extra + 1)]).toEqual([32 * 1024, undefined])
})

// The right side is what Swift's own demangler prints with `--simplified`; undefined where it gives up too.
it.each([
  ['$s4Shop4CartC4sendyyFZTo', '@objc static Cart.send()'],
  ['$s4Shop4CartCAA9OrderableA2aDP5orderyyFTW', 'protocol witness for Orderable.order() in conformance Cart'],
  ['$s4Shop4CartCAA9OrderableA2aDP5countSivgTW', 'protocol witness for Orderable.count.getter in conformance Cart'],
  [
    '$s4Shop4CartCAA9OrderableA2aDP6handleyyyXEqd__mlFTW',
    'protocol witness for Orderable.handle<A>(_:) in conformance Cart',
  ],
  ['$s4Shop3RowVSQAASQ2eeoiySbx_xtFZTW', 'protocol witness for static Equatable.== infix(_:_:) in conformance Row'],
  ['$s4Shop3RowVSHAASQWb', 'base witness table accessor for Equatable in Row'],
  ['$s4Shop3RowVACSQAAWl', 'lazy protocol witness table accessor for type Row and conformance Row'],
  ['$s4Shop3RowVACSQAAWL', 'lazy protocol witness table cache variable for type Row and conformance Row'],
  ['$s4Shop3RowVSQAAWP', 'protocol witness table for Row'],
  ['$s4Shop4CartCAA9OrderableAA4ItemAaDP_AA9SellableWT', undefined],
  [
    '$sSo8NSStringCSbIeggd_ABSbIeyByd_TR',
    'thunk for @escaping @callee_guaranteed (@guaranteed NSString) -> (@unowned Bool)',
  ],
  [
    '$sSo8NSStringCSgSo7NSErrorCSgIeyByy_SSSgs5Error_pSgIeggg_TR',
    'thunk for @escaping @callee_unowned @convention(block) (@unowned NSString?, @unowned NSError?) -> ()',
  ],
  [
    '$s10Foundation4DataVSgIegg_ACSgs5Error_pIeggzo_TR',
    'thunk for @escaping @callee_guaranteed (@guaranteed Data?) -> ()',
  ],
  ['$sSSIegr_SSIegk_TR', 'thunk for @escaping @callee_guaranteed () -> (@out String)'],
  ['$s4Shop4CartC4sendyyFTA', 'partial apply for Cart.send()'],
  ['$s4Shop4CartC4sendyyFTATm', 'partial apply for Cart.send()'],
  ['$s4Shop4CartC4sendyyyycFyycfU_TA', 'partial apply for closure #1 in Cart.send(_:)'],
  ['$s4Shop4CartC4sendyyyycFyycfU_TA.resume.0', 'partial apply for closure #1 in Cart.send(_:)'],
  ['$s4Shop4CartC4loadyyYaFTQ0_', 'Cart.load()'],
  ['$s4Shop4CartC4loadyyYaFTu', 'async function pointer to Cart.load()'],
  ['$s4Shop4CartC4loadyyYaKFTY1_', 'Cart.load()'],
  ['$s4Shop4CartC5totalSivgTj', 'dispatch thunk of Cart.total.getter'],
  ['$s4Shop4CartC5totalSivpMV', 'property descriptor for Cart.total'],
  ['$s4Shop4CartC5totalSivpWvd', 'direct field offset for Cart.total'],
  ['$s4Shop4CartC5totalSivsTq', 'method descriptor for Cart.total.setter'],
  ['$s4Shop4CartC3addyyxAA8SellableRzlF', 'Cart.add<A>(_:)'],
  ['$s4Shop4CartC3addyyx_q_tAA8SellableRzAaERq_r0_lF', undefined],
  ['$s4Shop4CartC3addyyxAA8SellableRzlFAA3RowV_Tg5', 'specialized Cart.add<A>(_:)'],
  ['$s4Shop4CartC3addyyxAA8SellableRzlFAA3RowV_Tg5Tf4nd_n', 'specialized Cart.add<A>(_:)'],
  ['$s4Shop3BoxV3getxyF', 'Box.get()'],
  ['$s4Shop3BoxVyxGSQAASQRzlMc', 'protocol conformance descriptor for <A> Box<A>'],
  ['$s4Shop3BoxVAASQRzlE4sameySbADyxGF', undefined],
  ['$s4Shop3BoxV5InnerVyx_GMa', 'type metadata accessor for Box<A>.Inner'],
  ['$s4Shop3BoxV3AppE5InnerVySi_GMa', 'type metadata accessor for Box<Int>.Inner'],
  ['$s4Shop3BoxV3AppE5InnerVySi_SSGMa', 'type metadata accessor for Box<Int>.Inner<String>'],
  ['$s4Shop3BoxVySaySSGGMa', 'type metadata accessor for Box<[String]>'],
  ['$s4Shop3BoxVySDySSSiGSgGMD', 'demangling cache variable for type metadata for Box<[String : Int]?>'],
  ['$s4Shop3BoxVyAA4CartCmGMD', 'demangling cache variable for type metadata for Box<Cart.Type>'],
  ['$s4Shop3BoxVyypXpGMD', 'demangling cache variable for type metadata for Box<Any.Type>'],
  ['$s4Shop3BoxVyyyXlGMD', undefined],
  ['$s4Shop3BoxVyyAA9Orderable_AA8SellablepGMD', undefined],
  ['$s4Shop3BoxVyyAA9Orderable_AA4CartCXcGMD', undefined],
  ['$s4Shop3BoxVySi_SStGMD', 'demangling cache variable for type metadata for Box<(Int, String)>'],
  [
    '$s4Shop3BoxVySi5count_SS4nametGMD',
    'demangling cache variable for type metadata for Box<(count: Int, name: String)>',
  ],
  ['$s4Shop3BoxVyySScGMD', 'demangling cache variable for type metadata for Box<(_:)>'],
  ['$s4Shop3BoxVyySScSgGMD', 'demangling cache variable for type metadata for Box<((_:))?>'],
  ['$s4Shop3BoxVyScMGMD', 'demangling cache variable for type metadata for Box<MainActor>'],
  ['$s4Shop3BoxVy7ElementQzGMD', 'demangling cache variable for type metadata for Box<A.Element>'],
  ['$s4Shop4CartC3makeQryF', undefined],
  ['$s4Shop4CartC3makeQryFQOMg', undefined],
  ['$s4Shop4CartC1loiySbAC_ACtFZ', 'static Cart.< infix(_:_:)'],
  ['$s4Shop1poiyS2i_SitF', '+ infix(_:_:)'],
  ['$s4Shop4CartC3RowL_V4nameSSvg', 'name.getter in Row #1 in Cart'],
  ['$s4Shop4CartC4sendyyF6helperL_yySiF', 'helper #1 (_:) in Cart.send()'],
  ['$s4Shop4CartC4sendyyF6helperL0_yySiFyycfU_', 'closure #1 in helper #2 (_:) in Cart.send()'],
  ['$s4Shop4CartCyS2icig', 'Cart.subscript.getter'],
  ['$s4Shop4CartC3keyS2S_tcis', 'Cart.subscript.setter'],
  ['$s4Shop4CartCACycfC', 'Cart.__allocating_init()'],
  ['$s4Shop3RowVACycfC', 'Row.init()'],
  ['$s4Shop3RowV4name5countACSS_SitcfC', 'Row.init(name:count:)'],
  ['$s4Shop4CartCfd', 'Cart.deinit'],
  ['$s4Shop4CartCfD', 'Cart.__deallocating_deinit'],
  ['$s4Shop3RowV4KindO5firstyA2EmFWC', 'enum case for Row.Kind.first(_:)'],
  ['$s4Shop4CartC3add_2atySi_SitFfA0_', 'default argument 1 of Cart.add(_:at:)'],
  ['$s4Shop5cacheSaySSGvau', 'cache.unsafeMutableAddressor'],
  ['$s4Shop5cache_WZ', 'one-time initialization function for cache'],
  ['$s4Shop5cacheSaySSGvpZ', 'static cache'],
  ['$s4Shop4CartC5totalSivpACTK', 'key path getter for Cart.total : Cart'],
  ['$s4Shop4CartC5totalSivpACTk', 'key path setter for Cart.total : Cart'],
  ['$s4Shop3RowVwca', 'assignWithCopy for Row'],
  ['$s4Shop3RowVWOh', 'outlined destroy of Row'],
  ['$s4Shop3RowVSgWOb', 'outlined init with take of Row?'],
  ['$s4Shop4CartC4sendyyFTo', '@objc Cart.send()'],
  ['$s4Shop4CartC4sendyyFTD', 'dynamic Cart.send()'],
  ['$sSa4ShopE5firstSiyF', 'Array.first()'],
  ['$sSo6UIViewC4ShopE5shakeyyF', 'UIView.shake()'],
  ['$s4Shop4CartC6$deferL_yyF', '$defer #1 () in Cart'],
  ['$s4Shop4Cart33_0123456789ABCDEF0123456789ABCDEFLLC4sendyyF', 'Cart.send()'],
  ['$s4Shop007grand_SuqaVAAE4sizeSivg', undefined],
  ['$s4Shop006Gre_C1BaV4nameSSvg', undefined],
  [
    '$s4Shop4CartC5scene_13willConnectTo7optionsySo7UISceneC_So0H7SessionCSo0H17ConnectionOptionsCtFTo',
    '@objc Cart.scene(_:willConnectTo:options:)',
  ],
  [
    '$ss22__RawDictionaryStorageC4find_9hashValues10_HashTableV6BucketV6bucket_Sb5foundtx_SitSHRzlFSS_Tg5',
    'specialized __RawDictionaryStorage.find<A>(_:hashValue:)',
  ],
  ['$s8mangling007p_qcaDcoiyS2i_SitF', '«+» infix(_:_:)'],
  ['$s4Shop3fooyS2f_S2ftFTJfUSSpSr', 'forward-mode derivative of foo(_:_:_:)'],
  ['$s4Shop3fooyS2f_S2ftFTJVrSpSr', 'vtable thunk for reverse-mode derivative of foo(_:_:_:)'],
  ['$s4Shop3fooyS2f_S2ftFTJpUSSpSrTj', 'dispatch thunk of pullback of foo(_:_:_:)'],
  [
    '$s4Shop3fooyS2f_S2ftFWJrSUSpSr',
    'reverse-mode differentiability witness for foo(_:_:_:) with respect to parameters {0, 2} and results {0}',
  ],
  [
    '$sS2fIegyd_TJSdSSpSrSUP',
    'autodiff subset parameters thunk for differential from @escaping @callee_guaranteed (@unowned Float) -> (@unowned Float)',
  ],
  [
    '$s4Shop3fooyS2f_S2ftFS2fIegyd_TJSrSSpSrSUP',
    'autodiff subset parameters thunk for reverse-mode derivative from foo(_:_:_:)',
  ],
  [
    '$sS2fIegyd_S2dIegyd_TJOp',
    'autodiff self-reordering reabstraction thunk for @escaping @callee_guaranteed (@unowned Float) -> (@unowned Float)',
  ],
  [
    '$s4Shop9cartSwiftfMX11_4_5pricefMf_',
    'freestanding macro expansion #1 of price in module Shop file cartSwift line 12 column 5',
  ],
  ['_$s4Shop4CartC5totalSiyF', 'Cart.total()'],
  ['$S4Shop4CartC5totalSiyF', 'Cart.total()'],
  ['$e4Shop4CartC5totalSiyF', 'Cart.total()'],
  ['$s4Shop4CartC5totalSiyF.cold.1', 'Cart.total()'],
])('%s', (mangled, name) => {
  expect(demangleSwift(mangled)).toBe(name)
})

it('shows no module, and no word that would lead to one', () => {
  expect(demangleSwift('$s4ShopyycfU_')).toBe('closure #1')
})

it.each([
  'main',
  '_T04Shop4CartC5totalSiyF',
  '$s',
  '$s4Sho',
  '$s4Shop4CartC5totalSiyFF',
  '$s4Shop3fooyS2f_S2ftFTJfUSS',
  '$s4Shop4CartC$s4Shop4CartC',
])('leaves alone %s', (mangled) => {
  expect(demangleSwift(mangled)).toBeUndefined()
})

it('does not run away on names made to grow', () => {
  // Each type has the one before it twice.
  const pairs = Array.from({ length: 60 }, (_, nth) => `y${nth === 0 ? 'SiSi' : `A${nth + 2}_A${nth + 2}_`}G`)
  expect(demangleSwift(`$s4Shop3BoxV${pairs.join('4Shop3BoxV')}Ma`)).toBeUndefined()
  expect(demangleSwift(`$s4Shop3RowV${'Sg'.repeat(4000)}Ma`)).toBeUndefined()
  expect(demangleSwift(`$s4Shop3RowV${'A2000a'.repeat(100)}BMa`)).toBeUndefined()
})

it('takes any name: a damaged one has an answer or none', () => {
  const names = [
    '$s4Shop4CartC3addyyxAA8SellableRzlFAA3RowV_Tg5Tf4nd_n',
    '$sSo8NSStringCSgSo7NSErrorCSgIeyByy_SSSgs5Error_pSgIeggg_TR',
    '$s4Shop4CartCAA9OrderableA2aDP6handleyyyXEqd__mlFTW',
  ]
  const random = randomOf(7)
  const LETTERS = 'ACDEFGIKLMNOPQRSTVWXYZacdfghiklmnopqrstuvwxyz_0123456789'
  for (let round = 0; round < 5000; round++) {
    const letters = [...(names[round % names.length] as string)]
    for (let count = 1 + random(4); count > 0; count--)
      letters[2 + random(letters.length - 2)] = LETTERS[random(LETTERS.length)] as string
    expect(demangleSwift(letters.join(''))?.length ?? 0).toBeLessThan(40_000)
  }
})
