package io.stowline.transport.internal.pipeline;

import io.stowline.error.FailureDetails;
import io.stowline.transport.internal.concurrent.SentWrite;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.error.ServiceError;

/**
 * The figures of a write at one moment, without its request.
 *
 * @param failureFacts all but the ending
 * @param message the text of the service, or why there is none
 */
record EndedWrite(String clientRequestId, int applied, boolean isCarriedOut, FailureFacts failureFacts, String message)
        implements SentWrite {

    static EndedWrite of(Exchange<?> exchange) {
        return of(exchange, 0);
    }

    /**
     * Takes the figures of a write.
     *
     * @param pending the number of attempts that may go out later
     */
    static EndedWrite of(Exchange<?> exchange, int pending) {
        ServiceError refusal = exchange.refusal();
        int applied = exchange.applied() + pending;
        FailureFacts failureFacts = FailureFacts.of(
                        exchange.request().name(), exchange.request().resource())
                .tried(exchange.sent() + pending, applied, exchange.elapsed())
                .ids(exchange.clientRequestId(), null)
                .refused(refusal);
        String message = refusal == null ? withoutRefusal(exchange) : refusal.message();
        return new EndedWrite(exchange.clientRequestId(), applied, exchange.isCarriedOut(), failureFacts, message);
    }

    private static String withoutRefusal(Exchange<?> exchange) {
        return exchange.isCarriedOut() ? "a success had come and not reached the caller" : "no response had come";
    }

    @Override
    public FailureDetails soFar(String ending) {
        return failureFacts.because(message, ending);
    }

    @Override
    public SentWrite ended() {
        return this;
    }
}
