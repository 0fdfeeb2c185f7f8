package io.stowline.examples.registrations;

/** The state of an import. */
enum ImportState {
    /** Reads and writes; after a crash of the service it stays so. */
    RUNNING,
    /** All rows were read, and each has its result. */
    COMPLETE,
    /** The text is no CSV from some line on; the rows before it have their results. */
    MALFORMED,
    /** The client went away; the rows that had come by then have their results. */
    DISCONNECTED,
    /** The service could not go on; the rows that it had read have their results. */
    FAILED
}
