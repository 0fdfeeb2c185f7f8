package io.stowline.testkit;

import io.stowline.testkit.internal.proxy.record.Recording;
import java.time.Duration;
import java.util.Optional;

/**
 * A request that came to a {@link FaultProxy}, and what became of it up to the moment of asking.
 *
 * <p>Immutable: ask the proxy again for what happened since.
 */
public final class RecordedExchange {

    private final Recording recording;

    RecordedExchange(Recording recording) {
        this.recording = recording;
    }

    /**
     * Returns the connection over which the request came.
     *
     * @return its number at the proxy, from 1
     */
    public int connection() {
        return recording.connection();
    }

    /**
     * Returns when the request had come whole.
     *
     * @return the time since the start of the proxy
     */
    public Duration arrived() {
        return recording.arrived();
    }

    /**
     * Returns the request as the client sent it.
     *
     * @return the request
     */
    public SentRequest request() {
        return recording.request();
    }

    /**
     * Returns how it ended for the client.
     *
     * @return {@link Ending#IN_FLIGHT} as long as it has not
     */
    public Ending ending() {
        return recording.fate().ending();
    }

    /**
     * Returns why it ended that way.
     *
     * @return text, empty where the ending says it all
     */
    public String reason() {
        return recording.fate().reason();
    }

    /**
     * Returns the rule that took the request.
     *
     * @return the rule in words, empty for none
     */
    public String rule() {
        return recording.fate().rule();
    }

    /**
     * Returns what the client was sent, or would have been but for a cut or because it had gone.
     *
     * @return empty when it was sent nothing
     */
    public Optional<StubResponse> response() {
        return Optional.ofNullable(recording.fate().response());
    }

    /**
     * Returns the response of the service, whether or not it reached the client.
     *
     * @return empty when the request did not reach the service, or the service did not answer
     */
    public Optional<StubResponse> served() {
        return Optional.ofNullable(recording.fate().served());
    }

    /**
     * Returns whether bodies of this exchange were shortened to save memory: each to 8 MiB, and to nothing when the bodies of newer
     * exchanges need the 64 MiB that are kept in all.
     *
     * @return whether something is missing
     */
    public boolean isTruncated() {
        return recording.truncated();
    }

    /** Names request, ending and answer; signatures, headers and bodies are left out. */
    @Override
    public String toString() {
        return "#" + connection() + " " + request() + " -> " + recording.fate().ending()
                + response().map(response -> " " + response).orElse("")
                + (recording.fate().reason().isEmpty()
                        ? ""
                        : ", " + recording.fate().reason())
                + (recording.fate().rule().isEmpty()
                        ? ""
                        : ", by " + recording.fate().rule());
    }

    /** The end of an exchange, as the client saw it. */
    public enum Ending {
        /** The exchange has not ended. */
        IN_FLIGHT,
        /** The client was sent a whole response: that of the service, or that of a rule. */
        RESPONDED,
        /** The client was sent a response with wrong bytes in its body. */
        GARBLED,
        /** The client was sent the beginning of a response, then a reset. */
        CUT,
        /** The client was sent bytes that are not HTTP. */
        MALFORMED,
        /** The request was forwarded, and the connection reset instead of answering. */
        LOST,
        /** The connection was reset, and the request not forwarded. */
        RESET,
        /** Reset as {@link #RESET}, and connections are refused since. */
        REFUSED,
        /** The client had gone, or its server timeout had passed. */
        DROPPED,
        /** The service could not be reached, or gave no whole response; the connection was reset. */
        UNREACHABLE,
        /** The proxy itself could not do it, as with a body above its limit; the connection was reset. */
        FAILED
    }
}
