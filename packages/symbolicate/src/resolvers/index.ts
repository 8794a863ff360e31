// All resolvers, one per line. The order of the resolvers does not matter.
export { arkts } from './arkts/index.ts'
export { breakpad } from './breakpad/index.ts'
export { flutter } from './flutter/index.ts'
export { javascript } from './javascript/index.ts'
export { jvmMapping } from './jvm-mapping/index.ts'
export { miniProgram } from './mini-program/index.ts'
export { mono } from './mono/index.ts'
export { native } from './native/index.ts'
