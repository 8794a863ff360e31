/** Add this reporter to the `reporters` list in `.parcelrc`. */
declare const reporter: object
export = reporter
