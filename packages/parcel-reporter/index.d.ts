/** A reporter, for `reporters` of `.parcelrc`. */
declare const reporter: object
export = reporter
