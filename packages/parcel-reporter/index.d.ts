/** A reporter for the `reporters` list in `.parcelrc`. */
declare const reporter: object
export = reporter
