// All thresholds of the check, and their effects. The values were determined with `npm run proof-corpus`. Sizes are in bytes unless stated
// otherwise.

const KIB = 1024
const MIB = 1024 * KIB

// ——— How much of scripts, maps and sources is read ———

/** The maximum length of a line in a handwritten comment. A longer line that starts like a comment is minified code. */
export const MAX_COMMENT_LINE = 200
/**
 * The maximum number of characters in a source whose text is searched for words, in a source that is compared at all, and in all cached
 * texts. Handwritten sources have fewer than a million characters.
 */
export const [MAX_SOURCE_TEXT, MAX_COMPARED_SOURCE, MAX_KEPT_TEXTS] = [MIB, 64 * MIB, 16 * MIB]
/**
 * The maximum total length of the input and output of a transform. Longer texts are not compared, because they were not written by hand.
 */
export const MAX_COMPARED_TEXT = 4 * MIB
/** The maximum length of the text for one run of mappings, and for one stretch without a source. */
export const [MAX_RUN, MAX_STRETCH] = [64 * KIB, 64 * KIB]
/** The maximum length of the path in a map's `file` field. */
export const MAX_PATH = 4 * KIB
/** The numbers of mappings, script bytes and words, from the start of a script, that are used to find its offset. */
export const [OFFSET_MAPPINGS, OFFSET_BYTES, OFFSET_WORDS] = [200_000, MIB, 200]
/** The number of bytes that are read at the end of a source to detect a `data:` map, and the number for the name of a map file. */
export const [DATA_TAIL, NAMED_TAIL] = [48, 512]
/** The number of bytes of a `data:` map that are read to find its list of sources. */
export const MAX_DATA_URL = 64 * KIB
/** The maximum number of unmapped sources, and the maximum total number of sources, that are searched for an error message. */
export const [MAX_UNSEEN, MAX_ERROR_SOURCES] = [20, 100]
/** The maximum number of lines to record after the last mapping of a source. */
export const MAX_LINES = MIB
/**
 * The maximum number of sources whose text may differ from their file. A larger number shows that the texts are the output of a compiler.
 */
export const MAX_DIFFERENT = 200

// ——— Words that minifiers keep ———

/**
 * The minimum and maximum lengths of a word that is compared. Words of one or two letters occur in most sources. Only the start of words
 * above the maximum is compared.
 */
export const [MIN_WORD, MAX_WORD] = [3, 16]
/** The minimum length of a method name that minifiers keep. */
export const MIN_CALLED = 4
/** The number of characters that are read before a value to find its key. */
export const MAX_KEY = 48
/**
 * The maximum number of characters between `new` and an error message, the maximum number between a throw or call and its string argument,
 * and the maximum length of that argument.
 */
export const [MAX_MADE, MAX_ARGUMENT, MAX_SITE_TEXT] = [80, 48, 40]
/** The maximum number of characters between the code that creates an error and the error message in a source. */
export const MAX_AHEAD_OF_TEXT = 120

// ——— Tokens at the original position ———

/**
 * The number of characters to examine before a mapped position, and the number after it within which a coarse map may have the word. Tools
 * map a word to the dot before it or to the start of its expression.
 */
export const [TOKEN_BEFORE, TOKEN_LATER] = [60, 1500]
/** The number of characters to examine before a token on its line. An expression in a template is mapped to the end of its element. */
export const LINE_BEFORE = 240
/** The maximum number of characters, such as dots, brackets or quotes, between the start of a mapping and its word. */
export const LEAD = 4
/** The maximum number of lines between the mapping of an element and its text in a template. */
export const TEMPLATE_LINES = 5
/** The minimum share of mappings to the first column for which a map is treated as a map without columns. */
export const ONLY_LINES = 0.9

// ——— Which code belongs to a mapping ———

/** The minimum distance in characters between a mapping and code that may belong to another source. */
export const LONG = 100
/** The minimum distance in characters between a mapping and a string that must have its own mapping, unless the map is coarse. */
export const MIN_TEXT_DISTANCE = 40
/** The distance after and before a tool's mark within which code belongs to that tool. */
export const [HELPER_BYTES, HELPER_AHEAD] = [2 * KIB, 80]
/** The maximum length of a name in a list of exports. */
export const MAX_EXPORTED = 200

// ——— Code without a source ———

/** The minimum length of a stretch without a source. Shorter stretches contain no code that throws. */
export const MIN_UNMAPPED = 12
/** The maximum length of a stretch that may contain only punctuation and keywords, and of one that may contain only comments. */
export const [MAX_BLANK, MAX_COMMENTS] = [200, 4 * KIB]
/** The maximum length of a line that is searched for the start of a multi-line comment. */
export const MAX_OPENED_LINE = 300
/** The maximum number of stretches to keep. A script that consists of many pieces may have a stretch in each piece. */
export const MAX_STRETCHES = 500
/**
 * The minimum number and share of mappings past the end of a line for which a map is treated as the map of another script. In multi-line
 * strings, compilers leave a few mappings past the end of a line.
 */
export const [MIN_OUTSIDE, OUTSIDE_SHARE] = [20, 0.001]
/**
 * A map is considered to map only whole lines if the number of throws and calls without a source reaches these minimums, in total and per
 * mapping. The bundler's own code has about 20 throws and calls without a source.
 */
export const [MIN_COARSE, COARSE] = [40, 8]
/** The minimum number of throws and calls in a stretch. A single call may be a wrapper. */
export const MIN_SITES = 2
/**
 * The minimum number of distinct words that show that code after the last mapping of a source belongs to another source. Only words that
 * the source does not contain are counted.
 */
export const MIN_OTHERS_WORDS = 4
/**
 * The minimum number of words after the last mapping that indicate that the map ends too early. Only words that the source contains after
 * the mapped line, or that only unmapped sources contain, are counted.
 */
export const MIN_REST = 2
/**
 * The minimum numbers of strings from the app and of unknown strings that show that code near the mark of a tool does not belong to the
 * tool.
 */
export const [MIN_KNOWN, MIN_UNKNOWN] = [2, 4]
/** The maximum number of strings to compare in each stretch and in each run. */
export const MAX_TEXTS = 16
/** The minimum number of properties in unmapped code that a template also contains. A single property may match by chance. */
export const MIN_MEMBERS = 2
/** The maximum number of characters between the start of a template expression and a stretch within it. */
export const INTO_TEMPLATE = 8

// ——— Obfuscators ———

/** The minimum numbers of names and calls in the form that obfuscators generate. Handwritten code contains fewer of them. */
export const [MIN_OBFUSCATED_NAMES, MIN_OBFUSCATED_CALLS] = [12, 5]
/** The number of bytes in the text of a source that are searched for the names that obfuscators generate. */
export const OBFUSCATED_BYTES = 32 * KIB

// ——— Positions of the app's own sources ———

/** The maximum number of positions for all sources of a script, and the minimum for one source. */
export const [MAX_ALL, MIN_KEPT] = [40_000, 8]
/**
 * The maximum number of positions per source, the maximum per large source, and the factor by which a large source must exceed the first
 * number. In a large source, only a small part may be faulty.
 */
export const [MAX_PLACES, MAX_OF_LARGE, LARGE] = [80, 160, 8]
/** The size of a small script, in which libraries are also examined, because the app's own code has too few positions to be conclusive. */
export const SMALL_SCRIPT = 32 * KIB
/** The minimum length of a line that is considered minified. No formatter would keep such a line. */
export const MINIFIED_LINE = 300
/**
 * The number of letters per mapping above which a map is considered coarse. Bundlers and compilers produce at most 6 letters per mapping.
 */
export const SPARSE = 15
/** The minimum number of letters required to judge whether a map is coarse. */
export const MIN_LETTERS = 200

// ——— Offset of a script ———

/** The share of a script's words that an offset must explain. A second minifier would move each word by a different distance. */
export const MOVED_SHARE = 0.5
/** The minimum number of words that must agree on an offset, and the number of occurrences above which a word is ignored. */
export const [MIN_VOTES, MAX_OCCURRENCES] = [5, 20]
/** The number of words that match by chance in a script that was shifted as a whole, and their share in large scripts. */
export const [BY_CHANCE, CHANCE_SHARE] = [1, 0.02]

// ——— Verdict on the app's own sources ———

/** The minimum share of a source's throws and calls on wrong lines for which its map is considered coarse. */
export const COARSE_SHARE = 0.2
/**
 * The minimum share of throws and calls on wrong lines in all sources together for which a map is considered coarse, and the minimum number
 * of throws and calls.
 */
export const [COARSE_ALL, MIN_ALL] = [0.15, 8]
/**
 * The number of distinct words after the last mapping of a source that show that the code belongs to the source. A single word may match by
 * chance.
 */
export const MIN_BEHIND = 2
/**
 * The minimum number of compared positions in a source, and the minimum share of right positions, for which only the wrong positions of the
 * source are reported.
 */
export const [MIN_PLACES, MOSTLY] = [4, 0.75]
/**
 * How strongly each agreement indicates that the code does not match. A negative weight indicates a match. Names often match by chance,
 * because two thirds of all positions have a name.
 */
export const WEIGHTS = {
  word: { exact: -2, line: 1, later: 1.5, absent: 2, outside: 2, unknown: 0 },
  name: { exact: -0.4, line: 0, later: 0, absent: 0.7, outside: 1, unknown: 0 },
}
/**
 * The minimum sum of weights that is not due to chance. Unmodified builds reach at most half of the minimum. The second number caps the sum
 * so that matching code can outweigh it.
 */
export const [MIN_MISMATCH, MAX_MISMATCH] = [14, 28]

// ——— Texts in the map and files on disk ———

/**
 * The minimum share of lines that two versions of the same file have in common. Different files with the same name also have some lines in
 * common.
 */
export const SAME_FILE = 0.5
/** The minimum number of unique words that two versions of the same file have in common. */
export const MIN_SAME_WORDS = 10
/** The minimum length of a text that may be swapped. Shorter texts can be equal by chance. */
export const MIN_SWAPPED_TEXT = 40
/**
 * The minimum and maximum numbers of words that identify a line. Lines with fewer words resemble each other, and lines with more words were
 * not written by hand.
 */
export const [MIN_LINE_WORDS, MAX_LINE_WORDS] = [3, 100]
/** The maximum number of lines on which a word may occur. More frequent words do not help to identify a line. */
export const MAX_WORD_LINES = 50
