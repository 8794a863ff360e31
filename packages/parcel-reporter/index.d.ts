/** A reporter for `reporters` in `.parcelrc`. */
declare const reporter: object
export = reporter
