package io.stowline.testkit;

/** Signals that Node.js or npm is missing or too old; its one line names what was found and what to install. */
public final class NodeRequiredException extends TestkitException {

    private static final long serialVersionUID = 1L;

    /** The oldest major version of Node.js that the test kit runs on. */
    public static final int OLDEST = 20;

    /**
     * Makes an exception.
     *
     * @param found what was found instead, as the middle of a sentence
     */
    public NodeRequiredException(String found) {
        super("Node.js " + OLDEST + " or newer with npm is required, but " + found
                + ". Install it from nodejs.org and put its folder on the PATH.");
    }
}
