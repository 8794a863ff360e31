// What is done with every byte of a source map, mostly sixteen of them at a time. `npm run docs` compiles it into src/formats/source-map/kernel.wasm.ts.
//
// All of it works on bytes in this memory: those that were copied to `inputAddress`, or what was read into the window, where most files fit in whole.

export { passColumns, passLines } from './lines'
export { decodeSegments, segmentsAddress, stateAddress } from './mappings'
export { inputAddress, resultsAddress, windowAddress } from './memory'
export { findWords, positionsAddress, wordsAddress } from './originals'
export { findCandidate, skipsAddress } from './search'
export { checkString, endsAddress, passTexts, startsAddress, stringEnd } from './texts'
