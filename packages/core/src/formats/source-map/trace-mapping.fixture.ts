/** An independent resolver for tests in other packages, so that they do not compare our resolver with itself. */
export {
  AnyMap,
  decodedMappings,
  encodedMap,
  originalPositionFor,
  TraceMap,
  traceSegment,
} from '@jridgewell/trace-mapping'
