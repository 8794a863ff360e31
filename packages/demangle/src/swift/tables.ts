import type { Kind } from './node.ts'

function standard(kind: Kind, names: string): [string, readonly [Kind, string]][] {
  return names.split(' ').map((entry) => {
    const [letter, name] = entry.split(':') as [string, string]
    return [letter, [kind, name]]
  })
}

/** Types and protocols of the standard library, keyed by the letter after `S`. */
export const STANDARD = new Map([
  ...standard(
    'Structure',
    'a:Array b:Bool D:Dictionary d:Double f:Float h:Set I:DefaultIndices i:Int J:Character N:ClosedRange n:Range ' +
      'O:ObjectIdentifier P:UnsafePointer p:UnsafeMutablePointer R:UnsafeBufferPointer r:UnsafeMutableBufferPointer ' +
      'S:String s:Substring u:UInt V:UnsafeRawPointer v:UnsafeMutableRawPointer W:UnsafeRawBufferPointer ' +
      'w:UnsafeMutableRawBufferPointer A:AutoreleasingUnsafeMutablePointer',
  ),
  ...standard('Enum', 'q:Optional'),
  ...standard(
    'Protocol',
    'B:BinaryFloatingPoint E:Encodable e:Decodable F:FloatingPoint G:RandomNumberGenerator H:Hashable j:Numeric ' +
      'K:BidirectionalCollection k:RandomAccessCollection L:Comparable l:Collection M:MutableCollection ' +
      'm:RangeReplaceableCollection Q:Equatable T:Sequence t:IteratorProtocol U:UnsignedInteger X:RangeExpression ' +
      'x:Strideable Y:RawRepresentable y:StringProtocol Z:SignedInteger z:BinaryInteger',
  ),
])

/** Concurrency types, keyed by the letter after `Sc`. */
export const CONCURRENCY = new Map([
  ...standard(
    'Structure',
    'C:CheckedContinuation c:UnsafeContinuation E:CancellationError e:UnownedSerialExecutor G:TaskGroup ' +
      'g:ThrowingTaskGroup J:UnownedJob P:TaskPriority S:AsyncStream s:AsyncThrowingStream T:Task t:UnsafeCurrentTask',
  ),
  ...standard('Class', 'M:MainActor'),
  ...standard('Protocol', 'A:Actor F:Executor f:SerialExecutor h:TaskExecutor I:AsyncIteratorProtocol i:AsyncSequence'),
])

export const BUILTIN: Readonly<Record<string, string>> = {
  A: 'ImplicitActor',
  b: 'BridgeObject',
  B: 'UnsafeValueBuffer',
  c: 'RawUnsafeContinuation',
  D: 'DefaultActorStorage',
  d: 'NonDefaultDistributedActorStorage',
  e: 'Executor',
  I: 'IntLiteral',
  j: 'Job',
  O: 'UnknownObject',
  o: 'NativeObject',
  P: 'PackIndex',
  p: 'RawPointer',
  t: 'SILToken',
  w: 'Word',
}

export const ACCESSORS: Readonly<Record<string, string>> = {
  m: 'materializeForSet',
  s: 'setter',
  g: 'getter',
  G: 'getter',
  w: 'willset',
  W: 'didset',
  r: 'read',
  y: 'read2',
  M: 'modify',
  x: 'modify2',
  i: 'init',
  b: 'borrow',
  z: 'mutate',
  aO: 'owningMutableAddressor',
  ao: 'nativeOwningMutableAddressor',
  aP: 'nativePinningMutableAddressor',
  au: 'unsafeMutableAddressor',
  lO: 'owningAddressor',
  lo: 'nativeOwningAddressor',
  lp: 'nativePinningAddressor',
  lu: 'unsafeAddressor',
}

/** Code that the compiler moved out of functions, keyed by the letter after `WO`. */
export const OUTLINED: Readonly<Record<string, string>> = {
  y: 'copy',
  e: 'consume',
  r: 'retain',
  s: 'release',
  b: 'init with take',
  B: 'init with take',
  c: 'init with copy',
  C: 'init with copy',
  d: 'assign with take',
  D: 'assign with take',
  f: 'assign with copy',
  F: 'assign with copy',
  h: 'destroy',
  H: 'destroy',
  g: 'enum get tag',
  i: 'enum tag store',
  j: 'enum project data for load',
}

/** Value witnesses, keyed by the letters after `w`. */
export const VALUE_WITNESSES: Readonly<Record<string, string>> = {
  al: 'allocateBuffer',
  ca: 'assignWithCopy',
  ta: 'assignWithTake',
  de: 'deallocateBuffer',
  xx: 'destroy',
  XX: 'destroyBuffer',
  Xx: 'destroyArray',
  CP: 'initializeBufferWithCopyOfBuffer',
  Cp: 'initializeBufferWithCopy',
  cp: 'initializeWithCopy',
  Tk: 'initializeBufferWithTake',
  tk: 'initializeWithTake',
  pr: 'projectBuffer',
  TK: 'initializeBufferWithTakeOfBuffer',
  Cc: 'initializeArrayWithCopy',
  Tt: 'initializeArrayWithTakeFrontToBack',
  tT: 'initializeArrayWithTakeBackToFront',
  xs: 'storeExtraInhabitant',
  xg: 'getExtraInhabitantIndex',
  ug: 'getEnumTag',
  up: 'destructiveProjectEnumData',
  ui: 'destructiveInjectEnumTag',
  et: 'getEnumTagSinglePayload',
  st: 'storeEnumTagSinglePayload',
}

/** Metadata of types, keyed by the letter after `M`. */
export const METADATA_OF_TYPE: Readonly<Record<string, string>> = {
  a: 'type metadata accessor for ',
  b: 'canonical specialized generic type metadata accessor for ',
  B: 'reflection metadata builtin descriptor ',
  C: 'reflection metadata superclass descriptor ',
  D: 'demangling cache variable for type metadata for ',
  f: 'full type metadata for ',
  F: 'reflection metadata field descriptor ',
  i: 'type metadata instantiation function for ',
  I: 'type metadata instantiation cache for ',
  l: 'type metadata singleton initialization cache for ',
  L: 'lazy cache variable for type metadata for ',
  m: 'metaclass for ',
  M: 'specialized generic metaclass for ',
  n: 'nominal type descriptor for ',
  N: 'noncanonical specialized generic type metadata for ',
  o: 'class metadata base offset for ',
  P: 'generic type metadata pattern for ',
  r: 'type metadata completion function for ',
  s: 'ObjC resilient class stub for ',
  t: 'full ObjC resilient class stub for ',
  u: 'method lookup function for ',
  U: 'ObjC metadata update function for ',
  z: 'flag for loading of canonical specialized generic type metadata for ',
}

/** Metadata of any kind of entity, keyed by the letter after `M`. */
export const METADATA_OF_ANY: Readonly<Record<string, string>> = {
  g: 'opaque type descriptor accessor for ',
  h: 'opaque type descriptor accessor impl for ',
  j: 'opaque type descriptor accessor key for ',
  J: 'cache variable for noncanonical specialized generic type metadata for ',
  k: 'opaque type descriptor accessor var for ',
  K: 'metadata instantiation cache for ',
  q: 'uniquable ',
  Q: 'opaque type descriptor for ',
}

/** Witness tables of conformances, keyed by the letter after `W`. */
export const WITNESS_TABLES: Readonly<Record<string, string>> = {
  a: 'protocol witness table accessor for ',
  G: 'generic protocol witness table for ',
  I: 'instantiation function for generic protocol witness table for ',
  P: 'protocol witness table for ',
  p: 'protocol witness table pattern for ',
  r: 'resilient protocol witness table for ',
}

/** Text to print before a function, keyed by the letter after `T`. For thunks that are printed like their function, the text is empty. */
export const ATTRIBUTES: Readonly<Record<string, string>> = {
  o: '@objc ',
  O: '@nonobjc ',
  D: 'dynamic ',
  d: 'super ',
  E: '',
  F: '',
  m: '',
  X: '',
  x: '',
  I: '',
  u: 'async function pointer to ',
  wb: '',
  wB: 'back deployment fallback for ',
  wc: 'coro function pointer to ',
  wd: 'default override of ',
  wS: '#_hasSymbol query for ',
}

export const PARAMETER_CONVENTIONS: Readonly<Record<string, string>> = {
  i: '@in',
  c: '@in_constant',
  l: '@inout',
  b: '@inout_aliasable',
  n: '@in_guaranteed',
  X: '@in_cxx',
  x: '@owned',
  g: '@guaranteed',
  e: '@deallocating',
  y: '@unowned',
  v: '@pack_owned',
  p: '@pack_guaranteed',
  m: '@pack_inout',
}

export const RESULT_CONVENTIONS: Readonly<Record<string, string>> = {
  r: '@out',
  o: '@owned',
  d: '@unowned',
  u: '@unowned_inner_pointer',
  a: '@autoreleased',
  k: '@pack_out',
  l: '@guaranteed_address',
  g: '@guaranteed',
  m: '@inout',
}

export const CALLEE_CONVENTIONS: Readonly<Record<string, string>> = {
  y: '@callee_unowned',
  g: '@callee_guaranteed',
  x: '@callee_owned',
  t: '@convention(thin)',
}

/** Operator characters for the letters `a` to `z`. A space means that the letter is unused. */
export const OPERATOR_SIGNS = '& @/= >    <*!|+?%-~   ^ .'

/** Macros that are attached to a declaration, keyed by the letter after `fM`. */
export const ATTACHED_MACROS: Readonly<Record<string, string>> = {
  a: 'accessor',
  r: 'memberAttribute',
  m: 'member',
  p: 'peer',
  c: 'conformance',
  e: 'extension',
  q: 'preamble',
  b: 'body',
}
