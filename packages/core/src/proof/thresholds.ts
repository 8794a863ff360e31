// Every number that affects a verdict of the check, and its effect. Measured with `npm run proof-corpus`. Sizes are in bytes unless stated
// otherwise.

const KIB = 1024
const MIB = 1024 * KIB

// ——— How much of scripts, maps and sources is read ———

/** Longest handwritten comment line. Minified lines that begin like a comment are longer. */
export const MAX_COMMENT_LINE = 200
/** Characters of a source whose text is searched for words, of one that is compared at all, and of the texts that are kept. Handwritten sources are shorter than the first. */
export const [MAX_SOURCE_TEXT, MAX_COMPARED_SOURCE, MAX_KEPT_TEXTS] = [MIB, 64 * MIB, 16 * MIB]
/** Maximum length of both texts of a transform. Longer texts are generated. */
export const MAX_COMPARED_TEXT = 4 * MIB
/** Maximum text of one run of mappings, and of one stretch without a source. */
export const [MAX_RUN, MAX_STRETCH] = [64 * KIB, 64 * KIB]
/** Longest path in a map's `file` field. */
export const MAX_PATH = 4 * KIB
/** Mappings, script bytes and words, from the start of a script, that are used to find its offset. */
export const [OFFSET_MAPPINGS, OFFSET_BYTES, OFFSET_WORDS] = [200_000, MIB, 200]
/** How much of a source's end is read to detect a `data:` map, and the name of a map. */
export const [DATA_TAIL, NAMED_TAIL] = [48, 512]
/** How much of a `data:` map is read to find its list of sources. */
export const MAX_DATA_URL = 64 * KIB
/** Maximum unmapped sources, and sources in total, to search for the text of an error. */
export const [MAX_UNSEEN, MAX_ERROR_SOURCES] = [20, 100]
/** Maximum number of lines to record after a source's last mapping. */
export const MAX_LINES = MIB
/** Sources whose text differs from their file. If there are more, the texts are output of a compiler. */
export const MAX_DIFFERENT = 200

// ——— Words that minifiers keep ———

/** Minimum and maximum length of a comparable word. Shorter words are in most sources; of longer ones, only the beginning is compared. */
export const [MIN_WORD, MAX_WORD] = [3, 16]
/** Minifiers rename shorter methods. */
export const MIN_CALLED = 4
/** Characters to read before a value to find its key. */
export const MAX_KEY = 48
/**
 * Where the text of an error or a call may begin: characters after `new`, and after a throw or call. Then the maximum length of that text.
 */
export const [MAX_MADE, MAX_ARGUMENT, MAX_SITE_TEXT] = [80, 48, 40]
/** Characters between an error's creation and its text in a source. */
export const MAX_AHEAD_OF_TEXT = 120

// ——— Tokens at the original position ———

/**
 * Characters before the mapped position that are examined, and characters after it in which a coarse map may have the word. Tools map to
 * the dot or to the start of an expression.
 */
export const [TOKEN_BEFORE, TOKEN_LATER] = [60, 1500]
/** Characters before a token on its line. A template's expression is mapped to the end of its element. */
export const LINE_BEFORE = 240
/** Characters between the start of a mapping and its word: a dot, a bracket or a quote. */
export const LEAD = 4
/** Lines between an element's mapping and its text in a template. */
export const TEMPLATE_LINES = 5
/** A map has only lines if at least this share of mappings point to the first column. */
export const ONLY_LINES = 0.9

// ——— Which code belongs to a mapping ———

/** At this distance after a mapping, in characters, code may belong to another source. */
export const LONG = 100
/** At this distance after a mapping, in characters, a string has its own mapping, unless the map is coarse. */
export const MIN_TEXT_DISTANCE = 40
/** Distance after and before a tool's mark within which code belongs to that tool. */
export const [HELPER_BYTES, HELPER_AHEAD] = [2 * KIB, 80]
/** Longest name in a list of exports. */
export const MAX_EXPORTED = 200

// ——— Code without a source ———

/** Shorter stretches contain no code that throws. */
export const MIN_UNMAPPED = 12
/** Longest stretch that may contain only punctuation and keywords, and longest that may contain only comments. */
export const [MAX_BLANK, MAX_COMMENTS] = [200, 4 * KIB]
/** Longest line in which the start of a multi-line comment is searched. */
export const MAX_OPENED_LINE = 300
/** Maximum number of stretches to keep. In a script of many pieces, each piece may have one. */
export const MAX_STRETCHES = 500
/**
 * A map with at least this number and share of mappings past line ends belongs to another script. Compilers leave a few in multi-line
 * strings.
 */
export const [MIN_OUTSIDE, OUTSIDE_SHARE] = [20, 0.001]
/**
 * A map with at least this many throws and calls without a source, in total and per mapping, contains only whole lines. A bundler's own
 * code has about 20.
 */
export const [MIN_COARSE, COARSE] = [40, 8]
/** A single call may be a wrapper. */
export const MIN_SITES = 2
/** If this many different words after a source's last mapping are missing from the source, the code belongs to another source. */
export const MIN_OTHERS_WORDS = 4
/** The map ends too early if this many words after its last mapping occur in the source only after that line, or only in unmapped sources. */
export const MIN_REST = 2
/** The code near a tool's mark is not the tool's if it has this many strings of the app, or this many unknown strings. */
export const [MIN_KNOWN, MIN_UNKNOWN] = [2, 4]
/** Maximum strings to compare per stretch, and per run. */
export const MAX_TEXTS = 16
/** Members in unmapped code that a template also contains. A single one may match by chance. */
export const MIN_MEMBERS = 2
/** How far before a stretch a template's expression may begin. */
export const INTO_TEMPLATE = 8

// ——— Obfuscators ———

/** Minimum names and calls of the kinds that obfuscators generate. Handwritten code has fewer. */
export const [MIN_OBFUSCATED_NAMES, MIN_OBFUSCATED_CALLS] = [12, 5]
/** How much of a source's text is searched for them. */
export const OBFUSCATED_BYTES = 32 * KIB

// ——— Positions of the app's own sources ———

/** Maximum positions for all sources of a script, and minimum for one source. */
export const [MAX_ALL, MIN_KEPT] = [40_000, 8]
/**
 * Maximum positions per source, the maximum per large source, and how many times the former makes a source large. In a
 * large source, the fault may be a small part.
 */
export const [MAX_PLACES, MAX_OF_LARGE, LARGE] = [80, 160, 8]
/** Libraries of a smaller script are examined, too, because its few positions prove little. */
export const SMALL_SCRIPT = 32 * KIB
/** Longer lines are minified: no formatter leaves them. */
export const MINIFIED_LINE = 300
/** Letters of code per mapping in a coarse map. Bundlers and compilers produce at most 6. */
export const SPARSE = 15
/** With fewer letters, a map cannot be called coarse. */
export const MIN_LETTERS = 200

// ——— Offset of a script ———

/** Share of the words of a script that an offset has to explain. A second minifier moves each by another distance. */
export const MOVED_SHARE = 0.5
/** Words that must agree on an offset, so that it is not chance. Words with more occurrences are not counted. */
export const [MIN_VOTES, MAX_OCCURRENCES] = [5, 20]
/** Words that match by chance in a script that was shifted as a whole, and their share in large scripts. */
export const [BY_CHANCE, CHANCE_SHARE] = [1, 0.02]

// ——— Verdict on the app's own sources ———

/** Share of a source's throws and calls on wrong lines that makes its map coarse. */
export const COARSE_SHARE = 0.2
/** The same for all sources together, with at least this many throws and calls. */
export const [COARSE_ALL, MIN_ALL] = [0.15, 8]
/** Different words after a source's last mapping that belong to the source. A single one may belong to another source by chance. */
export const MIN_BEHIND = 2
/** With at least this many compared positions and this share of right ones, only the other positions of a source are wrong. */
export const [MIN_PLACES, MOSTLY] = [4, 0.75]
/** Evidence per token that the code does not match (positive) or matches. Names match by chance: two of three positions have one. */
export const WEIGHTS = {
  word: { exact: -2, line: 1, later: 1.5, absent: 2, outside: 2, unknown: 0 },
  name: { exact: -0.4, line: 0, later: 0, absent: 0.7, outside: 1, unknown: 0 },
}
/**
 * Sum of weights beyond chance: unmodified builds reach at most half of it. The sum is capped at the second number, so
 * that matching code can outweigh it.
 */
export const [MIN_MISMATCH, MAX_MISMATCH] = [14, 28]

// ——— Texts in the map and files on disk ———

/** A text with at least this share of common lines is another version of a file. Different files with the same name share some lines. */
export const SAME_FILE = 0.5
/** The same for unique words, of which a file needs at least this many. */
export const MIN_SAME_WORDS = 10
/** Shorter texts may be equal by chance. */
export const MIN_SWAPPED_TEXT = 40
/** Words that a line needs to be identifiable. Shorter lines resemble others; longer lines were not written by hand. */
export const [MIN_LINE_WORDS, MAX_LINE_WORDS] = [3, 100]
/** A word on more lines than this identifies no line. */
export const MAX_WORD_LINES = 50
