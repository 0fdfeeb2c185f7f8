package io.stowline.testkit;

import org.jspecify.annotations.Nullable;

/**
 * Signals a failure of the test kit itself: a package was not installed, or the emulator did not start.
 *
 * <p>The message names what was tried and carries the end of the output of the program that failed.
 */
public class TestkitException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception without a cause.
     *
     * @param message what failed
     */
    public TestkitException(String message) {
        this(message, null);
    }

    /**
     * Makes an exception.
     *
     * @param message what failed
     * @param cause why, or {@code null} when the message suffices
     */
    public TestkitException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
