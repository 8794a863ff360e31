/** The part that holds the index of an artifact's source map. It is made by the intake and goes with the artifact; nobody is shown it. */
export const INDEX_PART = 'source_map_index'
