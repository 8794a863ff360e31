// What is done with every byte of a script, without parsing it. `npm run docs` compiles it into src/formats/javascript/kernel.wasm.ts.

export { blankLiterals } from './literals'
export { findPlaces, isComment, placesAddress, segmentsAddress, tallyAddress, textsAddress } from './places'
export { codeAddress, textAddress } from './text'
export { tokenAddress, tokenAt } from './tokens'
export { addWord } from './words'
