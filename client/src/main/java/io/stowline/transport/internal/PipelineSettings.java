package io.stowline.transport.internal;

import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.StorageAccount.Service;
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
record PipelineSettings(
        Service service, RetrySettings foreign, Observing observing, CallEnds ends, Duration clockTolerance) {

    /** With the default tolerance. */
    PipelineSettings(Service service, RetrySettings foreign, Observing observing, CallEnds ends) {
        this(service, foreign, observing, ends, Doubt.TOLERANCE);
    }

    /** The defaults, of which nobody is told. */
    static PipelineSettings unheard(Service service) {
        return new PipelineSettings(service, RetrySettings.defaults(), Observing.none(), CallEnds.UNHEARD);
    }
}
