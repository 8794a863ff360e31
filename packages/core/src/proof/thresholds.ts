// All thresholds of the check. The values were determined with `npm run proof-corpus`. Sizes are in bytes unless stated otherwise.

const KIB = 1024
const MIB = 1024 * KIB

// ——— Limits for reading scripts, maps and sources ———

/** The maximum length of a line in a handwritten comment. A longer line that starts like a comment is minified code. */
export const MAX_COMMENT_LINE = 200
/**
 * Maximum lengths in characters: of a source that is searched for words, of a source that is compared, and of all cached source texts.
 * Handwritten sources have fewer than a million characters.
 */
export const [MAX_SOURCE_TEXT, MAX_COMPARED_SOURCE, MAX_KEPT_TEXTS] = [MIB, 64 * MIB, 16 * MIB]
/**
 * The maximum total length of the input and output of a transform. Longer texts are not compared, because they were not written by hand.
 */
export const MAX_COMPARED_TEXT = 4 * MIB
/** The maximum number of characters to read per run of mappings, or per stretch of code without a source. */
export const [MAX_RUN, MAX_STRETCH] = [64 * KIB, 64 * KIB]
/** The number of mappings, bytes and words at the start of a script that are used to find its offset. */
export const [OFFSET_MAPPINGS, OFFSET_BYTES, OFFSET_WORDS] = [200_000, MIB, 200]
/** How many bytes to read at the end of a source to detect a `data:` URL, and to detect the name of a map file. */
export const [DATA_TAIL, NAMED_TAIL] = [48, 512]
/** How many bytes of a `data:` URL to search for the list of sources. */
export const MAX_DATA_URL = 64 * KIB
/** The maximum number of unmapped sources, and of sources in total, that are searched for an error message. */
export const [MAX_UNSEEN, MAX_ERROR_SOURCES] = [20, 100]
/** Original lines beyond this limit are ignored. */
export const MAX_LINES = MIB
/**
 * The maximum number of sources whose text may differ from their file. A larger number shows that the texts are the output of a compiler.
 */
export const MAX_DIFFERENT = 200

// ——— Words that minifiers keep ———

/** The minimum and maximum length of a compared word. Shorter words occur in most sources, and longer words are truncated. */
export const [MIN_WORD, MAX_WORD] = [3, 16]
/** The minimum length of method names that minifiers are assumed to keep. */
export const MIN_CALLED = 4
/** How many characters before a value to search for its key. */
export const MAX_KEY = 48
/**
 * Maximum lengths in characters: from `new` to an error message, from a throw or call to its string argument, and of the argument itself.
 */
export const [MAX_MADE, MAX_ARGUMENT, MAX_SITE_TEXT] = [80, 48, 40]
/** The maximum number of characters between the code that creates an error and the error message in a source. */
export const MAX_AHEAD_OF_TEXT = 120

// ——— Tokens at the original position ———

/**
 * How many characters to examine before a mapped position and, in a coarse map, after it. A word may be mapped to the preceding dot or to
 * the start of its expression.
 */
export const [TOKEN_BEFORE, TOKEN_LATER] = [60, 1500]
/**
 * How many characters to examine before a position on the same line. An expression in a template is mapped to the end of its element, so
 * the token precedes the position.
 */
export const LINE_BEFORE = 240
/** The maximum number of characters, such as dots, brackets or quotes, between a mapped position and the word. */
export const LEAD = 4
/** The maximum number of lines between the mapping of an element and its text in a template. */
export const TEMPLATE_LINES = 5
/** If at least this share of the mappings points to the first column, the map is treated as a map without columns. */
export const ONLY_LINES = 0.9

// ——— Which code belongs to a mapping ———

/** The minimum distance in characters between a mapping and code that may belong to another source. */
export const LONG = 100
/** A string at least this many characters after a mapping should have its own mapping, unless the map is coarse. */
export const MIN_TEXT_DISTANCE = 40
/** The number of bytes after and before a tool's mark in which all code is assumed to belong to the tool. */
export const [HELPER_BYTES, HELPER_AHEAD] = [2 * KIB, 80]
export const MAX_EXPORTED = 200

// ——— Code without a source ———

/** The minimum length of a stretch without a source. Shorter stretches contain no code that throws. */
export const MIN_UNMAPPED = 12
/** The maximum length of ignored code that consists only of punctuation and keywords, or only of comments. */
export const [MAX_BLANK, MAX_COMMENTS] = [200, 4 * KIB]
/** The maximum length of a line that is searched for the start of a multi-line comment. */
export const MAX_OPENED_LINE = 300
export const MAX_STRETCHES = 500
/**
 * A map is assumed to belong to another script if at least this many of its mappings, and at least this share, point past the end of a
 * line. Compilers leave a few such mappings in multi-line strings.
 */
export const [MIN_OUTSIDE, OUTSIDE_SHARE] = [20, 0.001]
/**
 * A map is assumed to contain only lines if there are at least this many unmapped throws and calls, in total and per mapping. A bundler's
 * own code contains about 20 unmapped throws and calls.
 */
export const [MIN_COARSE, COARSE] = [40, 8]
/** The minimum number of throws and calls in a stretch. A single call may be part of a wrapper. */
export const MIN_SITES = 2
/**
 * The minimum number of distinct words needed to conclude that the code after a source's last mapping belongs to another source. Words that
 * the source itself contains do not count.
 */
export const MIN_OTHERS_WORDS = 4
/**
 * If at least this many words follow the last mapping, the map is assumed to end too early. A word counts only if the source contains it
 * after the last mapped line, or if only unmapped sources contain it.
 */
export const MIN_REST = 2
/**
 * Code near a tool's mark does not belong to the tool if it contains at least this many strings from the app, or this many unknown strings.
 */
export const [MIN_KNOWN, MIN_UNKNOWN] = [2, 4]
/** The maximum number of strings to compare per stretch and per run. */
export const MAX_TEXTS = 16
/**
 * The minimum number of properties that unmapped code and a template must have in common. A single common property may be a coincidence.
 */
export const MIN_MEMBERS = 2
/** The maximum number of characters between the start of a template expression and a stretch within it. */
export const INTO_TEMPLATE = 8

// ——— Obfuscators ———

/** The minimum number of names, and of calls, that look obfuscated. Handwritten code contains fewer of them. */
export const [MIN_OBFUSCATED_NAMES, MIN_OBFUSCATED_CALLS] = [12, 5]
/** How many bytes of a source text to search for obfuscated names. */
export const OBFUSCATED_BYTES = 32 * KIB

// ——— Positions of the app's own sources ———

/** The maximum number of positions for all sources of a script, and the minimum to keep for each source. */
export const [MAX_ALL, MIN_KEPT] = [40_000, 8]
/**
 * The maximum number of positions per source, and per large source. A source is large if it has about `LARGE` times as many positions as
 * the first limit. More positions are kept, because only a small part of a large source may be faulty.
 */
export const [MAX_PLACES, MAX_OF_LARGE, LARGE] = [80, 160, 8]
/**
 * Scripts up to this size are considered small. In small scripts, libraries are also examined, because the app's own code has too few
 * positions.
 */
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

/**
 * The minimum share of a script's words that an offset must explain. If a second minifier changed the script, each word would be shifted by
 * a different distance.
 */
export const MOVED_SHARE = 0.5
/** The minimum number of words that must indicate the same offset, and the number of occurrences above which a word is ignored. */
export const [MIN_VOTES, MAX_OCCURRENCES] = [5, 20]
/** The number of words that may match by chance even if the whole script was shifted, and the corresponding share in large scripts. */
export const [BY_CHANCE, CHANCE_SHARE] = [1, 0.02]

// ——— Verdict on the app's own sources ———

/** A source's map is considered coarse if at least this fraction of the source's throws and calls resolves to wrong lines. */
export const COARSE_SHARE = 0.2
/**
 * The whole map is considered coarse if at least this fraction of all throws and calls resolves to wrong lines. The second number is the
 * minimum number of throws and calls.
 */
export const [COARSE_ALL, MIN_ALL] = [0.15, 8]
/**
 * The minimum number of distinct words needed to conclude that the code after a source's last mapping belongs to that source. A single word
 * may match by chance.
 */
export const MIN_BEHIND = 2
/**
 * Wrong positions in a source are reported individually only if at least this many positions were compared, and at least this share of them is correct.
 */
export const [MIN_PLACES, MOSTLY] = [4, 0.75]
/**
 * Weights of the comparison results as evidence of a mismatch. Negative weights are evidence of a match. Names have lower weights, because
 * they often match by chance.
 */
export const WEIGHTS = {
  word: { exact: -2, line: 1, later: 1.5, absent: 2, outside: 2, unknown: 0 },
  name: { exact: -0.4, line: 0, later: 0, absent: 0.7, outside: 1, unknown: 0 },
}
/**
 * The minimum sum of weights that counts as a mismatch, and the cap on the sum. Unmodified builds reach at most half of the minimum. The
 * cap lets later matching code outweigh a mismatch.
 */
export const [MIN_MISMATCH, MAX_MISMATCH] = [14, 28]

// ——— Source texts in maps and on disk ———

/**
 * The minimum share of lines that two texts must have in common to count as versions of the same file. Different files with the same name
 * also have some lines in common.
 */
export const SAME_FILE = 0.5
/** The minimum number of unique words that two texts must have in common to count as versions of the same file. */
export const MIN_SAME_WORDS = 10
/** The minimum length of a source text for detecting swapped texts. Shorter texts can be equal by chance. */
export const MIN_SWAPPED_TEXT = 40
/**
 * A line can be identified only if its number of words is in this range. Shorter lines resemble each other, and longer lines were not
 * written by hand.
 */
export const [MIN_LINE_WORDS, MAX_LINE_WORDS] = [3, 100]
/** The maximum number of lines on which a word may occur. More frequent words do not help to identify a line. */
export const MAX_WORD_LINES = 50
