package io.stowline.examples.probe;

import java.io.IOException;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.CompletionStage;

/** The way to an account and back, as the measurements use it. */
interface ProbedLink {

    /** The direction of content. */
    enum Direction {
        UPLOAD,
        DOWNLOAD;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Opens a TCP connection to the endpoint and closes it. */
    void connect() throws IOException;

    /** Makes a call whose request and response have no content. */
    void head();

    /** Writes a byte, and returns the second of the service's clock in which it was written. */
    Instant write();

    /**
     * Sends or receives content by one request.
     *
     * @param connection the number of the connection, which has a separate blob
     * @param bytes the size of the content; that of a download is the size that was sent last
     */
    CompletionStage<?> transfer(Direction direction, int connection, int bytes);
}
