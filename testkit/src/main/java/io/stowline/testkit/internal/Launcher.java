package io.stowline.testkit.internal;

import java.io.IOException;

/** A launcher of a prepared process; tests put their own in its place. */
@FunctionalInterface
public interface Launcher {

    /** The launcher that starts real processes. */
    Launcher REAL = ProcessBuilder::start;

    /**
     * Starts the process.
     *
     * @param command the prepared process
     * @return the running process
     * @throws IOException if the operating system refuses
     */
    Process start(ProcessBuilder command) throws IOException;
}
