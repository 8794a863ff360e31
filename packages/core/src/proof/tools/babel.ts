import type { Tool } from './tool.ts'

/** Matches the helpers of Babel. swc and oxc contain copies of the helpers, so all three emit the same names and strings. */
export const babel: Tool = {
  name: 'Babel',
  marks:
    /__esModule|defineProperty\(exports|_interop|function _[a-z]+[A-Z]\w*\(|Cannot call a class as a function|[Ii]nvalid attempt to|on non-instance|Super expression must|hasn't been initiali|is not iterable|_didIteratorError|Symbol\.iterator|Symbol\.asyncIterator|Reflect\.construct|null==\w+\.return|"Arguments"===|Private (?:method|accessor|element|field) |attempted to |[Dd]ecorator|@@toPrimitive must|Symbol\.dispose|is not disposable|\braw:\s*\{\s*value:/,
  texts:
    /Private element|Cannot initialize the same|iterator result is not|iterator does not provide|Class extends value|Derived constructors|An error was suppressed|is not (?:defined|supported|a function|an object|disposable)|unsupported |Unexpected /,
  errors:
    /Cannot call a class as a function|Derived constructors|[Ii]nvalid attempt to|Object is not (?:async )?iterable|Super expression must|attempted to |this hasn't been initiali|@@\w+ /,
  calls:
    /default\w*|__\w*|_(?:assertClassBrand|checkPrivateRedeclaration|defineProperty|(?:asyncGenerator|asyncToGenerator|classPrivate|classStatic|objectSpread|objectWithout|superProp|wrapAsync)\w*)/,
}
