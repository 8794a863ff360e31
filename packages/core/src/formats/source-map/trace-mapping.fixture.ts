/** The independent resolver, for tests outside of this package: ours has no part in the truth that they compare with. */
export {
  AnyMap,
  decodedMappings,
  encodedMap,
  originalPositionFor,
  TraceMap,
  traceSegment,
} from '@jridgewell/trace-mapping'
