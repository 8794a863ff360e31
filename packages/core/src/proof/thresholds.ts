// Every number that a verdict of the check depends on, and what it separates. Measured with `npm run proof-corpus`. Sizes are in bytes where nothing else is said.

const KIB = 1024
const MIB = 1024 * KIB

// ——— What is read of scripts, maps and sources ———

/** Handwritten comment lines are shorter than minified lines that begin like one. */
export const MAX_COMMENT_LINE = 200
/** Characters of a source whose text is searched for words, of one that is compared at all, and of the texts that are kept. Handwritten sources are shorter than the first. */
export const [MAX_SOURCE_TEXT, MAX_COMPARED_SOURCE, MAX_KEPT_TEXTS] = [MIB, 64 * MIB, 16 * MIB]
/** Both texts of a transform. Longer ones are generated. */
export const MAX_COMPARED_TEXT = 4 * MIB
/** Text of one run of mappings, and of one stretch without a source. */
export const [MAX_RUN, MAX_STRETCH] = [64 * KIB, 64 * KIB]
/** Longest path in a map's `file` field. */
export const MAX_PATH = 4 * KIB
/** Mappings, script bytes and words with which the offset of a script is sought, from its start on. */
export const [OFFSET_MAPPINGS, OFFSET_BYTES, OFFSET_WORDS] = [200_000, MIB, 200]
/** End of a source's text that shows whether a `data:` map follows, and that may contain the name of a map. */
export const [DATA_TAIL, NAMED_TAIL] = [48, 512]
/** Beginning of a `data:` map that lists its sources. */
export const MAX_DATA_URL = 64 * KIB
/** Unmapped sources, and sources in all, that are searched for the text of an error. */
export const [MAX_UNSEEN, MAX_ERROR_SOURCES] = [20, 100]
/** Lines of a source behind its last mapping that are remembered. */
export const MAX_LINES = MIB
/** Sources with another text than their file. More are the output of a compiler. */
export const MAX_DIFFERENT = 200

// ——— Words that minifiers keep ———

/** A shorter text or property is in most sources, and of a longer text only the beginning is compared. */
export const [MIN_WORD, MAX_WORD] = [3, 16]
/** Minifiers rename shorter methods. */
export const MIN_CALLED = 4
/** Characters before a value that may contain its key. */
export const MAX_KEY = 48
/** Characters behind `new` and behind a throw or call in which its text begins, and of that text. */
export const [MAX_MADE, MAX_ARGUMENT, MAX_SITE_TEXT] = [80, 48, 40]
/** Characters between an error's creation and its text in a source. */
export const MAX_AHEAD_OF_TEXT = 120

// ——— Tokens at the original position ———

/** Characters before and behind the mapped position in which a word counts as there, and in which a coarse map may have it: tools map to the dot or the start of an expression. */
export const [TOKEN_BEFORE, TOKEN_LATER] = [60, 1500]
/** Characters before a token on its line: a template's expression is mapped to the end of its element. */
export const LINE_BEFORE = 240
/** Characters between the start of a mapping and its word: a dot, a bracket, a quote. */
export const LEAD = 4
/** Lines between an element's mapping and its text in a template. */
export const TEMPLATE_LINES = 5
/** Share of mappings to the first column from which a map has lines only. */
export const ONLY_LINES = 0.9

// ——— Which code belongs to a mapping ———

/** Characters behind a mapping from which the code may belong to another source. */
export const LONG = 100
/** Characters behind a mapping from which a text has a mapping of its own, unless the map is coarse. */
export const MIN_TEXT_DISTANCE = 40
/** Code behind and before a tool's mark that the tool added. */
export const [HELPER_BYTES, HELPER_AHEAD] = [2 * KIB, 80]
/** Longer names in a list of exports do not exist. */
export const MAX_EXPORTED = 200

// ——— Code without a source ———

/** A shorter stretch contains no code that throws. */
export const MIN_UNMAPPED = 12
/** Stretches up to these sizes may contain nothing but punctuation and keywords, or comments. */
export const [MAX_BLANK, MAX_COMMENTS] = [200, 4 * KIB]
/** Line in which a comment is sought that goes on behind it. */
export const MAX_OPENED_LINE = 300
/** Stretches that are kept. In a script of many pieces, each may have one. */
export const MAX_STRETCHES = 500
/** Mappings beyond the ends of lines, and their share, from which the map is that of another script. Compilers leave a few in texts of several lines. */
export const [MIN_OUTSIDE, OUTSIDE_SHARE] = [20, 0.001]
/** Throws and calls without a source, in all and per mapping, from which the map has whole lines only. A bundler's own code has about 20. */
export const [MIN_COARSE, COARSE] = [40, 8]
/** A single call may be a wrapper. */
export const MIN_SITES = 2
/** Different words behind a source's last mapping that the source lacks: then the code is another's. */
export const MIN_OTHERS_WORDS = 4
/** Words behind a source's last mapping that it has only behind that line, or that only unmapped sources have: then the map ends too early. */
export const MIN_REST = 2
/** Texts of the app near a tool's mark, and texts of nobody: then the code is not the tool's. */
export const [MIN_KNOWN, MIN_UNKNOWN] = [2, 4]
/** Texts of one stretch, and of one run, that are compared. */
export const MAX_TEXTS = 16
/** Members in unmapped code that a template has, too. One may belong to another module by chance. */
export const MIN_MEMBERS = 2
/** Characters before a stretch in which a template's expression begins. */
export const INTO_TEMPLATE = 8

// ——— Obfuscators ———

/** Handwritten code has fewer of the names and of the calls that obfuscators generate. */
export const [MIN_OBFUSCATED_NAMES, MIN_OBFUSCATED_CALLS] = [12, 5]
/** Beginning of a source's text that shows it. */
export const OBFUSCATED_BYTES = 32 * KIB

// ——— Positions of the app's own sources ———

/** Positions of all sources of a script, and the fewest of one source. */
export const [MAX_ALL, MIN_KEPT] = [40_000, 8]
/** Positions of one source, and of one so large that not every eighth position would be kept: the fault may be a small part of it. */
export const [MAX_PLACES, MAX_OF_LARGE, LARGE] = [80, 160, 8]
/** Libraries of a smaller script are examined, too, because its few positions prove little. */
export const SMALL_SCRIPT = 32 * KIB
/** No formatter leaves a longer line. */
export const MINIFIED_LINE = 300
/** Letters of code per mapping in a coarse map. Bundlers and compilers have at most 6. */
export const SPARSE = 15
/** Fewer letters prove nothing. */
export const MIN_LETTERS = 200

// ——— Offset of a script ———

/** Share of the words of a script that an offset has to explain. A second minifier moves each by another distance. */
export const MOVED_SHARE = 0.5
/** Words that agree on an offset, so that it is not chance. A word with more occurrences is not counted. */
export const [MIN_VOTES, MAX_OCCURRENCES] = [5, 20]
/** Words that match by chance in a script that was moved as a whole, and their share for large numbers. */
export const [BY_CHANCE, CHANCE_SHARE] = [1, 0.02]

// ——— Verdict on the app's own sources ———

/** Share of a source's throws and calls that are on other lines in a coarse map. */
export const COARSE_SHARE = 0.2
/** The same for all sources together, with at least so many throws and calls. */
export const [COARSE_ALL, MIN_ALL] = [0.15, 8]
/** Different words behind a source's last mapping that are the source's. One may be another's by chance. */
export const MIN_BEHIND = 2
/** Compared positions of a source, and the share of right ones, from which only the others are wrong. */
export const [MIN_PLACES, MOSTLY] = [4, 0.75]
/** Evidence per token that the code does not match (positive) or matches. Names match by chance: two of three positions have one. */
export const WEIGHTS = {
  word: { exact: -2, line: 1, later: 1.5, absent: 2, outside: 2, unknown: 0 },
  name: { exact: -0.4, line: 0, later: 0, absent: 0.7, outside: 1, unknown: 0 },
}
/** Sum of weights beyond chance: builds as they are reach at most half of it. The sum stops at the second, so that matching code can outweigh it. */
export const [MIN_MISMATCH, MAX_MISMATCH] = [14, 28]

// ——— Texts in the map and files on the disk ———

/** Share of common lines from which a text is another version of a file. Two files of one name share some lines. */
export const SAME_FILE = 0.5
/** Shorter texts may be alike by chance. */
export const MIN_SWAPPED_TEXT = 40
/** Words of a line that identify it: with fewer it is like others, with more it was not written by hand. */
export const [MIN_LINE_WORDS, MAX_LINE_WORDS] = [3, 100]
/** A word on more lines does not identify one. */
export const MAX_WORD_LINES = 50
