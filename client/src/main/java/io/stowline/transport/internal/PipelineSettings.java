package io.stowline.transport.internal;

import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.StorageAccount.Service;

/**
 * How a pipeline deals with the calls that go through it.
 *
 * @param service the service behind it
 * @param foreign how requests are tried that an SDK client of the application makes
 * @param observing who is told of operations
 * @param ends who is told of the ends of calls
 */
record PipelineSettings(Service service, RetrySettings foreign, Observing observing, CallEnds ends) {

    /** The defaults, of which nobody is told. */
    static PipelineSettings unheard(Service service) {
        return new PipelineSettings(service, RetrySettings.defaults(), Observing.none(), CallEnds.UNHEARD);
    }
}
