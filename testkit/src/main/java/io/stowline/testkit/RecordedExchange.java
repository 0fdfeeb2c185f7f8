package io.stowline.testkit;

import java.time.Duration;
import java.util.Optional;

/**
 * A request that came to a {@link FaultProxy}, and its state at the time of the call. Immutable: request it again from the proxy for a later state.
 *
 * @param connection the number at the proxy, from 1, of the connection over which the request came
 * @param arrived when the request had come whole, since the start of the proxy
 * @param request the request as the client sent it
 * @param ending how it ended for the client; {@link Ending#IN_FLIGHT} as long as it has not
 * @param reason why it ended that way; empty where the ending suffices
 * @param rule the rule that took the request, in words; empty for none
 * @param response the response to the client, also one that was cut or had no client any longer; empty for none
 * @param served the response of the service, whether or not it reached the client; empty when the service got no request or gave none
 * @param isTruncated whether bodies of this exchange were shortened to save memory: each to 8 MiB, and to nothing when the bodies of newer
 *     exchanges need the 64 MiB that are kept in all
 */
public record RecordedExchange(
        int connection,
        Duration arrived,
        SentRequest request,
        Ending ending,
        String reason,
        String rule,
        Optional<StubResponse> response,
        Optional<StubResponse> served,
        boolean isTruncated) {

    /** Names request, ending and response; signatures, headers and bodies are left out. */
    @Override
    public String toString() {
        return "#" + connection + " " + request + " -> " + ending
                + response.map(sent -> " " + sent).orElse("")
                + (reason.isEmpty() ? "" : ", " + reason)
                + (rule.isEmpty() ? "" : ", by " + rule);
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
        /** The request was forwarded, and the connection reset without a response. */
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
