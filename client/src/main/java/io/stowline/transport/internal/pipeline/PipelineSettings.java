package io.stowline.transport.internal.pipeline;

import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.observe.OperationObserver;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import java.time.Duration;

/**
 * How a pipeline deals with the calls that go through it.
 *
 * @param service the service behind it
 * @param foreign how requests are tried that an SDK client of the application makes
 * @param observing who is told of operations
 * @param ends who is told of the ends of calls
 * @param clockTolerance how far the clocks of the service's machines may differ
 */
public record PipelineSettings(
        Service service,
        RetrySettings foreign,
        OperationObserver observing,
        RequestCompletionListener ends,
        Duration clockTolerance) {

    /** With the default tolerance. */
    public PipelineSettings(
            Service service, RetrySettings foreign, OperationObserver observing, RequestCompletionListener ends) {
        this(service, foreign, observing, ends, UnresolvedAttempts.TOLERANCE);
    }

    /** The defaults, of which nobody is told. */
    public static PipelineSettings unheard(Service service) {
        return new PipelineSettings(
                service, RetrySettings.defaults(), OperationObserver.none(), RequestCompletionListener.UNHEARD);
    }

    /** Is told of the end of each call, whatever it is, before whoever made the call. */
    @FunctionalInterface
    public interface RequestCompletionListener {

        /** Tells nobody. */
        RequestCompletionListener UNHEARD = call -> {};

        void ended(Exchange<?> call);
    }
}
