import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { demangleSwift } from './index.ts'

// Every code of Swift's mangling at least once, in names made for it. What is expected is what Swift's NodePrinter writes for it, simplified.

/** Names that differ in a code only, as `code: what the code stands for`. */
function eachCode(nameOf: (code: string) => string, textOf: (what: string) => string, codes: string): void {
  it.each(
    codes
      .trim()
      .split('\n')
      .map((line) => {
        const [code, what] = line.split(/:(.*)/) as [string, string]
        return [nameOf(code.trim()), textOf(what.trim())]
      }),
  )('%s is %s', (name, text) => {
    expect(demangleSwift(name)).toBe(text)
  })
}

describe('types of the standard library', () => {
  eachCode(
    (code) => `$s4Shop3BoxVy${code}GMD`,
    (what) => `demangling cache variable for type metadata for Box<${what}>`,
    `
    Sa: Array
    Sb: Bool
    SD: Dictionary
    Sd: Double
    Sf: Float
    Sh: Set
    SI: DefaultIndices
    Si: Int
    SJ: Character
    SN: ClosedRange
    Sn: Range
    SO: ObjectIdentifier
    SP: UnsafePointer
    Sp: UnsafeMutablePointer
    SR: UnsafeBufferPointer
    Sr: UnsafeMutableBufferPointer
    SS: String
    Ss: Substring
    Su: UInt
    SV: UnsafeRawPointer
    Sv: UnsafeMutableRawPointer
    SW: UnsafeRawBufferPointer
    Sw: UnsafeMutableRawBufferPointer
    SA: AutoreleasingUnsafeMutablePointer
    Sq: Optional
    ScC: CheckedContinuation
    Scc: UnsafeContinuation
    ScE: CancellationError
    Sce: UnownedSerialExecutor
    ScG: TaskGroup
    Scg: ThrowingTaskGroup
    ScJ: UnownedJob
    ScP: TaskPriority
    ScS: AsyncStream
    Scs: AsyncThrowingStream
    ScT: Task
    Sct: UnsafeCurrentTask
    ScM: MainActor
    SB_p: BinaryFloatingPoint
    SE_p: Encodable
    Se_p: Decodable
    SF_p: FloatingPoint
    SG_p: RandomNumberGenerator
    SH_p: Hashable
    Sj_p: Numeric
    SK_p: BidirectionalCollection
    Sk_p: RandomAccessCollection
    SL_p: Comparable
    Sl_p: Collection
    SM_p: MutableCollection
    Sm_p: RangeReplaceableCollection
    SQ_p: Equatable
    ST_p: Sequence
    St_p: IteratorProtocol
    SU_p: UnsignedInteger
    SX_p: RangeExpression
    Sx_p: Strideable
    SY_p: RawRepresentable
    Sy_p: StringProtocol
    SZ_p: SignedInteger
    Sz_p: BinaryInteger
    ScA_p: Actor
    ScF_p: Executor
    Scf_p: SerialExecutor
    Sch_p: TaskExecutor
    ScI_p: AsyncIteratorProtocol
    Sci_p: AsyncSequence
    BA: Builtin.ImplicitActor
    Bb: Builtin.BridgeObject
    BB: Builtin.UnsafeValueBuffer
    Bc: Builtin.RawUnsafeContinuation
    BD: Builtin.DefaultActorStorage
    Bd: Builtin.NonDefaultDistributedActorStorage
    Be: Builtin.Executor
    BI: Builtin.IntLiteral
    Bj: Builtin.Job
    BO: Builtin.UnknownObject
    Bo: Builtin.NativeObject
    BP: Builtin.PackIndex
    Bp: Builtin.RawPointer
    Bt: Builtin.SILToken
    Bw: Builtin.Word
    Bi32_: Builtin.Int32
    Bf64_: Builtin.FPIEEE64
    Bi8_Bv4_: Builtin.Vec4xInt8
    SaySiG: [Int]
    SDySiSbG: [Int : Bool]
    SiSg: Int?
    Si_SSt: (Int, String)
    Sid_SSt: (Int..., String)
    Si1a_SSdt: (a: Int, String...)
    4Shop4CartCXw: weak Cart
    4Shop4CartCXo: unowned Cart
    4Shop4CartCXu: unowned(unsafe) Cart
    4Shop4CartCm: Cart.Type
    4Shop4CartCXMt: @thin Cart.Type
    4Shop4CartCXMT: @thick Cart.Type
    4Shop4CartCXMo: @objc_metatype Cart.Type
    ypXp: Any.Type
    yp: Any
    x: A
    q_: B
    q0_: C
    qd__: A1
    qd0__: A2
    7ElementQz: A.Element
    7ElementQy_: B.Element
    5Inner_7ElementQZ: A.Inner.Element
    5Inner_7ElementQY_: B.Inner.Element
    4Shop4CartC4Item_5InnerQX: Cart.Item.Inner
    4Shop4CartC4ItemQx: Cart.Item
    `,
  )
})

describe('operators', () => {
  eachCode(
    (code) => `$s4Shop${code.length}${code}oiyS2i_SitF`,
    (what) => `${what} infix(_:_:)`,
    `
    c: @
    d: /
    e: =
    g: >
    l: <
    m: *
    n: !
    o: |
    p: +
    q: ?
    r: %
    s: -
    t: ~
    x: ^
    z: .
    a: &
    ee: ==
    `,
  )
  it.each([
    ['$s4Shop1sopyS2iF', '- prefix(_:)'],
    ['$s4Shop1noPyS2iF', '! postfix(_:)'],
    ['$s4Shop1boiyS2i_SitF', undefined],
  ])('%s', (name, text) => {
    expect(demangleSwift(name)).toBe(text)
  })
})

describe('accessors', () => {
  eachCode(
    (code) => `$s4Shop4CartC5totalSiv${code}`,
    (what) => `Cart.total.${what}`,
    `
    m: materializeForSet
    s: setter
    g: getter
    G: getter
    w: willset
    W: didset
    r: read
    y: read2
    M: modify
    x: modify2
    i: init
    b: borrow
    z: mutate
    aO: owningMutableAddressor
    ao: nativeOwningMutableAddressor
    aP: nativePinningMutableAddressor
    au: unsafeMutableAddressor
    lO: owningAddressor
    lo: nativeOwningAddressor
    lp: nativePinningAddressor
    lu: unsafeAddressor
    `,
  )
})

describe('what the compiler makes of types', () => {
  eachCode(
    (code) => `$s4Shop4CartC${code}`,
    (what) => what,
    `
    Ma: type metadata accessor for Cart
    Mb: canonical specialized generic type metadata accessor for Cart
    MB: reflection metadata builtin descriptor Cart
    MC: reflection metadata superclass descriptor Cart
    MD: demangling cache variable for type metadata for Cart
    Mf: full type metadata for Cart
    MF: reflection metadata field descriptor Cart
    Mi: type metadata instantiation function for Cart
    MI: type metadata instantiation cache for Cart
    Ml: type metadata singleton initialization cache for Cart
    ML: lazy cache variable for type metadata for Cart
    Mm: metaclass for Cart
    MM: specialized generic metaclass for Cart
    Mn: nominal type descriptor for Cart
    MN: noncanonical specialized generic type metadata for Cart
    Mo: class metadata base offset for Cart
    MP: generic type metadata pattern for Cart
    Mr: type metadata completion function for Cart
    Ms: ObjC resilient class stub for Cart
    Mt: full ObjC resilient class stub for Cart
    Mu: method lookup function for Cart
    MU: ObjC metadata update function for Cart
    Mz: flag for loading of canonical specialized generic type metadata for Cart
    Mg: opaque type descriptor accessor for Cart
    Mh: opaque type descriptor accessor impl for Cart
    Mj: opaque type descriptor accessor key for Cart
    MJ: cache variable for noncanonical specialized generic type metadata for Cart
    Mk: opaque type descriptor accessor var for Cart
    MK: metadata instantiation cache for Cart
    Mq: uniquable Cart
    MQ: opaque type descriptor for Cart
    MXE: extension descriptor Cart
    MXX: anonymous descriptor Cart
    N: type metadata for Cart
    WV: value witness table for Cart
    Hn: nominal type descriptor runtime record for Cart
    WOy: outlined copy of Cart
    WOe: outlined consume of Cart
    WOr: outlined retain of Cart
    WOs: outlined release of Cart
    WOb: outlined init with take of Cart
    WOB: outlined init with take of Cart
    WOc: outlined init with copy of Cart
    WOC: outlined init with copy of Cart
    WOd: outlined assign with take of Cart
    WOD: outlined assign with take of Cart
    WOf: outlined assign with copy of Cart
    WOF: outlined assign with copy of Cart
    WOh: outlined destroy of Cart
    WOH: outlined destroy of Cart
    WOg: outlined enum get tag of Cart
    WOi0_: outlined enum tag store of Cart
    WOj0_: outlined enum project data for load of Cart
    wal: allocateBuffer for Cart
    wca: assignWithCopy for Cart
    wta: assignWithTake for Cart
    wde: deallocateBuffer for Cart
    wxx: destroy for Cart
    wXX: destroyBuffer for Cart
    wXx: destroyArray for Cart
    wCP: initializeBufferWithCopyOfBuffer for Cart
    wCp: initializeBufferWithCopy for Cart
    wcp: initializeWithCopy for Cart
    wTk: initializeBufferWithTake for Cart
    wtk: initializeWithTake for Cart
    wpr: projectBuffer for Cart
    wTK: initializeBufferWithTakeOfBuffer for Cart
    wCc: initializeArrayWithCopy for Cart
    wTt: initializeArrayWithTakeFrontToBack for Cart
    wtT: initializeArrayWithTakeBackToFront for Cart
    wxs: storeExtraInhabitant for Cart
    wxg: getExtraInhabitantIndex for Cart
    wug: getEnumTag for Cart
    wup: destructiveProjectEnumData for Cart
    wui: destructiveInjectEnumTag for Cart
    wet: getEnumTagSinglePayload for Cart
    wst: storeEnumTagSinglePayload for Cart
    AA9OrderableAAWa: protocol witness table accessor for Cart
    AA9OrderableAAWG: generic protocol witness table for Cart
    AA9OrderableAAWI: instantiation function for generic protocol witness table for Cart
    AA9OrderableAAWP: protocol witness table for Cart
    AA9OrderableAAWp: protocol witness table pattern for Cart
    AA9OrderableAAWr: resilient protocol witness table for Cart
    AA9OrderableAAMA: reflection metadata associated type descriptor Cart
    AA9OrderableAAMc: protocol conformance descriptor for Cart
    AA9OrderableAAHc: protocol conformance descriptor runtime record for Cart
    AA9OrderableAA4ItemWt: associated type metadata accessor for Item in Cart
    `,
  )
})

describe('what the compiler makes of functions and variables', () => {
  eachCode(
    (code) => `$s4Shop4CartC4sendyyF${code}`,
    (what) => what,
    `
    To: @objc Cart.send()
    TO: @nonobjc Cart.send()
    TD: dynamic Cart.send()
    Td: super Cart.send()
    TE: Cart.send()
    TF: Cart.send()
    Tm: Cart.send()
    TX: Cart.send()
    Tx: Cart.send()
    TI: Cart.send()
    Tu: async function pointer to Cart.send()
    Twb: Cart.send()
    TwB: back deployment fallback for Cart.send()
    Twc: coro function pointer to Cart.send()
    Twd: default override of Cart.send()
    TwS: #_hasSymbol query for Cart.send()
    Ta: partial apply for Cart.send()
    TTI: identity thunk of Cart.send()
    Tc: curry thunk of Cart.send()
    Tj: dispatch thunk of Cart.send()
    Tq: method descriptor for Cart.send()
    TQ0_: Cart.send()
    TY0_: Cart.send()
    TS: protocol self-conformance witness for Cart.send()
    Tv_: outlined variable #0 of Cart.send()
    Tv0_: outlined variable #1 of Cart.send()
    Tv_r: outlined read-only object #0 of Cart.send()
    Tepb_: outlined bridged method (pb) of Cart.send()
    Tembgnn_: outlined bridged method (mbgnn) of Cart.send()
    WC: enum case for Cart.send()
    .resume.0: Cart.send()
    `,
  )
  eachCode(
    (code) => `$s4Shop4CartC5totalSivp${code}`,
    (what) => what,
    `
    MV: property descriptor for Cart.total
    Wvd: direct field offset for Cart.total
    Wvi: indirect field offset for Cart.total
    ACTK: key path getter for Cart.total : Cart
    ACTk: key path setter for Cart.total : Cart
    ACTKq: key path getter for Cart.total : Cart, serialized
    Z: static Cart.total
    fi: variable initialization expression of Cart.total
    fP: property wrapper backing initializer of Cart.total
    fW: property wrapper init from projected value of Cart.total
    `,
  )
  eachCode(
    (code) => `$s4Shop${code}`,
    (what) => what,
    `
    9OrderableMp: protocol descriptor for Orderable
    9OrderableMS: protocol self-conformance descriptor for Orderable
    9OrderableWS: protocol self-conformance witness table for Orderable
    9OrderableHr: protocol descriptor runtime record for Orderable
    9OrderableTL: protocol requirements base descriptor for Orderable
    9OrderableP4Item_AA8SellableTn: associated conformance descriptor for Orderable.Item: Sellable
    9OrderableP4Item_AA8SellableTN: default associated conformance accessor for Orderable.Item: Sellable
    9OrderablePAA8SellableTb: base conformance descriptor for Orderable: Sellable
    5cache_WZ: one-time initialization function for cache
    5cache_Wz: one-time initialization token for cache
    5cache_5other_WZ: one-time initialization function for (cache, other)
    4CartCfD: Cart.__deallocating_deinit
    4CartCfd: Cart.deinit
    4CartCfE: Cart.__ivar_destroyer
    4CartCfe: Cart.__ivar_initializer
    4CartCfZ: Cart.__isolated_deallocating_deinit
    4CartC4sendyyFyycfU_: closure #1 in Cart.send()
    4CartC4sendyyFyycfU0_: closure #2 in Cart.send()
    4CartC4sendyyFyycfu_: implicit closure #1 in Cart.send()
    4CartC4sendyyFfA_: default argument 0 of Cart.send()
    `,
  )
  eachCode(
    (code) => `$s4Item4Shop9OrderablePT${code}`,
    (what) => `${what} for Orderable.Item`,
    `
    l: associated type descriptor
    M: default associated type metadata accessor
    `,
  )
})

describe('conventions of functions', () => {
  eachCode(
    (code) => `$sSSIeg${code}_SSIegr_TR`,
    (what) => `thunk for @escaping @callee_guaranteed (${what} String) -> ()`,
    `
    i: @in
    c: @in_constant
    l: @inout
    b: @inout_aliasable
    n: @in_guaranteed
    X: @in_cxx
    x: @owned
    g: @guaranteed
    e: @deallocating
    y: @unowned
    v: @pack_owned
    p: @pack_guaranteed
    m: @pack_inout
    `,
  )
  eachCode(
    (code) => `$sSSSiIegr${code}_SSIegr_TR`,
    (what) => `thunk for @escaping @callee_guaranteed () -> (@out String, ${what} Int)`,
    `
    r: @out
    o: @owned
    d: @unowned
    u: @unowned_inner_pointer
    a: @autoreleased
    k: @pack_out
    l: @guaranteed_address
    g: @guaranteed
    m: @inout
    `,
  )
  eachCode(
    (code) => `$sSSI${code}g_SSIegr_TR`,
    (what) => `thunk for ${what} (@guaranteed String) -> ()`,
    `
    ey: @escaping @callee_unowned
    eg: @escaping @callee_guaranteed
    ex: @escaping @callee_owned
    et: @escaping @convention(thin)
    g: @callee_guaranteed
    edg: @escaping @differentiable @callee_guaranteed
    elg: @escaping @differentiable(_linear) @callee_guaranteed
    efg: @escaping @differentiable(_forward) @callee_guaranteed
    erg: @escaping @differentiable(reverse) @callee_guaranteed
    eyB: @escaping @callee_unowned @convention(block)
    eyC: @escaping @callee_unowned @convention(c)
    eyzB9_ZTSPFvvE: @escaping @callee_unowned @convention(block, mangledCType: "_ZTSPFvvE")
    eyzC9_ZTSPFvvE: @escaping @callee_unowned @convention(c, mangledCType: "_ZTSPFvvE")
    eyM: @escaping @callee_unowned @convention(method)
    eyO: @escaping @callee_unowned @convention(objc_method)
    eyK: @escaping @callee_unowned @convention(closure)
    eyW: @escaping @callee_unowned @convention(witness_method)
    egH: @escaping @callee_guaranteed @async
    `,
  )
})

// The right side is what the demangler of Swift 6.3.1 prints. The later ones tell it from demanglers that differ in one place.
it.each(
  readFileSync(join(import.meta.dirname, '../../../../../fixtures/symbols/names/swift.txt'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t') as [string, string]),
)('%s is %s', (name, text) => {
  // As the command does it, what is no name is shown as it is.
  expect(demangleSwift(name) ?? name).toBe(text)
})

it.each([
  '$s4Shop6testityyxlFAA8MystructV_Tg',
  '$s4Shop6testityyxlFAA8MystructV_Tz5',
  '$s3Bag6testityyyyc_yyctFTf0gsnX_n',
  '$s4Shop3BoxVySiYigMD',
  '$s4Shop3BoxVySi_SStQPGMD',
  '$s4Shop4CartCACycfcTW',
  '$s4Shop5valueSivpfv',
  '$s4Shop4CartC4sendyyFyyIegh_Tz_',
  '$sIeyB_Tz_',
  '$s4Shop3runyyYKF',
  '$s4Shop1x_1ytvp',
])('%s is no name', (name) => {
  expect(demangleSwift(name)).toBeUndefined()
})
