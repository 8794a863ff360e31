import type { Tool } from './tool.ts'

/** Its helpers, which swc and oxc copied, so that all three write the same names and texts. */
export const babel: Tool = {
  name: 'Babel',
  marks:
    /__esModule|function _[a-z]+[A-Z]\w*\(|[Ii]nvalid attempt to|Super expression must|_didIteratorError|Symbol\.iterator|Symbol\.asyncIterator|null==\w+\.return|"Arguments"===|Private (?:method|accessor|element|field) |attempted to |@@toPrimitive must/,
  texts: /Cannot initialize the same|is not (?:defined|supported|a function|an object|disposable)/,
  errors: /Cannot call a class as a function|[Ii]nvalid attempt to|Super expression must|attempted to /,
  calls:
    /default\w*|__\w*|_(?:assertClassBrand|checkPrivateRedeclaration|defineProperty|(?:asyncGenerator|asyncToGenerator|classPrivate|classStatic|objectSpread|objectWithout|superProp|wrapAsync)\w*)/,
}
