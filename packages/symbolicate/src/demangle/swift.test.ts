import { expect, it } from 'vitest'
import { demangleSwift } from './swift.ts'

it.each([
  ['$s4Shop4CartC5totalSiyF', 'Cart.total()'],
  ['_$s4Shop4CartC5totalSiyF', 'Cart.total()'],
  ['$s4Shop4CartC4mainyyFZ', 'static Cart.main()'],
  ['$s4Shop4CartC4mainyyFZTo', '@objc static Cart.main()'],
  ['$s4Shop4CartC5applyyySo8NSStringCF', 'Cart.apply(_:)'],
  [
    '$s4Shop4CartC5scene_13willConnectTo7optionsySo7UISceneC_So0H7SessionCSo0H17ConnectionOptionsCtFTo',
    '@objc Cart.scene(_:willConnectTo:options:)',
  ],
  ['$s4Shop4CartC6windowSo8UIWindowCSgvsTo', '@objc Cart.window.setter'],
  ['$s4Shop4CartC5priceSivg', 'Cart.price.getter'],
  ['$s4Shop4CartCACycfc', 'Cart.init()'],
  ['$s4Shop4CartC5coderACSgSo7NSCoderC_tcfc', 'Cart.init(coder:)'],
  ['$s4Shop4CartCfD', 'Cart.__deallocating_deinit'],
  ['$s4Shop4CartCMa', 'type metadata accessor for Cart'],
  ['$s4Shop4CartC4sendyyFSbSo8NSStringCcfU_', 'closure #1 in Cart.send()'],
  ['$s4Shop4CartC4sendyyFSbSo8NSStringCcfU1_', 'closure #3 in Cart.send()'],
  ['$s4Shop4CartC3Row33_0123456789ABCDEF0123456789ABCDEFLLV4nameSSvg', 'Cart.Row.name.getter'],
  ['$s4Shop3add_2toSiSi_SitF', 'add(_:to:)'],
  ['$s4Shop3addyyKF', 'add()'],
  [
    '$ss22__RawDictionaryStorageC4find_9hashValues10_HashTableV6BucketV6bucket_Sb5foundtx_SitSHRzlFSS_Tg5',
    'specialized __RawDictionaryStorage.find(_:hashValue:)',
  ],
  ['$sSo8NSStringCSbIeggd_ABSbIeyByd_TR', undefined],
  ['$s4Shop3RowVwca', 'value witness for Row'],
  ['$s4Shop3RowVWOh', 'outlined destroy of Row'],
  ['$s4Shop3RowV4KindOWOy', 'outlined copy of Row.Kind'],
  ['$s4Shop4CartC4rowsSaySiGvpfiyACcfU10_', 'closure #12 in variable initialization expression of Cart.rows'],
  ['$s', undefined],
  ['$s4Sho', undefined],
  ['main', undefined],
])('%s', (mangled, name) => {
  expect(demangleSwift(mangled)).toBe(name)
})
