package io.stowline.transport.internal;

import io.stowline.retry.RetrySettings;

/**
 * How a pipeline deals with the calls that go through it.
 *
 * @param foreign how requests are tried that an SDK client of the application makes
 * @param observing who is told of operations
 * @param ends who is told of the ends of calls
 */
record PipelineSettings(RetrySettings foreign, Observing observing, CallEnds ends) {

    /** The defaults, of which nobody is told. */
    static PipelineSettings unheard() {
        return new PipelineSettings(RetrySettings.defaults(), Observing.none(), CallEnds.UNHEARD);
    }
}
