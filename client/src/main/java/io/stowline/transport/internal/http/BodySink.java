package io.stowline.transport.internal.http;

import java.io.IOException;

/**
 * The receiver of the body of a successful answer, in place of an array. The bodies of other answers are read as those of any request.
 *
 * <p>The calls come from I/O threads, one after the other, and none comes once the attempt has ended. Each attempt of a request begins with
 * {@link #begin} and may break off anywhere, so a sink knows how far it has got and asks for the rest by
 * {@code Request.headersOfAttempt}. Its bounds are the sink's: the bounds of answers that are read whole do not apply.
 *
 * <p>An {@link IOException} of the sink means that the answer is broken and ends the attempt, which is tried again like one whose
 * connection broke. A {@link RuntimeException} ends the request at once, without another attempt, and reaches the caller as it is.
 *
 * <p>A sink must not cancel its request, nor wait for a lock under which the request is cancelled.
 */
public interface BodySink {

    /**
     * The head of an answer with a 2xx status has arrived.
     *
     * @param contentLength how many bytes the body has, or a negative number if the answer does not say
     * @throws IOException if the answer makes no sense
     */
    void begin(int status, StorageResponse.Headers headers, long contentLength) throws IOException;

    /**
     * The next bytes of the body have arrived.
     *
     * @throws IOException if they make no sense
     */
    void add(BodyPart part) throws IOException;

    /**
     * Whether more may come. A sink that has enough for now still takes what has arrived already. The time until it goes on is no standstill.
     *
     * @param again run once more may come, on any thread, if the answer is no
     */
    default boolean ready(Runnable again) {
        return true;
    }

    /** The end of a request whose sink has thrown the cause, which is unchecked. */
    final class RefusedBodyException extends LocalBodyException {

        private static final long serialVersionUID = 1L;

        RefusedBodyException(RuntimeException cause) {
            super(cause);
        }
    }
}
