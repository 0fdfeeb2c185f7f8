package io.stowline.transport.internal.pipeline;

import io.stowline.error.FailureDetails;
import io.stowline.transport.internal.concurrent.SentWrite;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.error.ServiceError;

/**
 * The figures of a write at one moment, without its request.
 *
 * @param facts all but the ending
 * @param message the text of the service, or why there is none
 */
record EndedWrite(String clientRequestId, int applied, boolean isCarriedOut, FailureFacts facts, String message)
        implements SentWrite {

    static EndedWrite of(Exchange<?> call) {
        ServiceError refusal = call.refusal();
        int applied = call.applied();
        FailureFacts facts = FailureFacts.of(
                        call.request().name(), call.request().resource())
                .tried(call.sent(), applied, call.elapsed())
                .ids(call.clientRequestId(), null)
                .refused(refusal);
        String message = refusal == null ? withoutRefusal(call) : refusal.message();
        return new EndedWrite(call.clientRequestId(), applied, call.isCarriedOut(), facts, message);
    }

    private static String withoutRefusal(Exchange<?> call) {
        return call.isCarriedOut() ? "a success had come and not reached the caller" : "no answer had come";
    }

    @Override
    public FailureDetails soFar(String ending) {
        return facts.because(message, ending);
    }

    @Override
    public SentWrite ended() {
        return this;
    }
}
