package io.stowline.transport.internal.error;

import java.util.List;
import reactor.core.Exceptions;

/** A choice among failures of several requests that came at the same moment, for which Reactor has one exception without their facts. */
public final class SimultaneousFailures {

    private SimultaneousFailures() {}

    /** Returns the first one, which has the others as suppressed exceptions; any other failure as it is. */
    public static Throwable first(Throwable failure) {
        if (!Exceptions.isMultiple(failure)) {
            return failure;
        }
        List<Throwable> all = Exceptions.unwrapMultipleExcludingTracebacks(failure);
        Throwable first = all.isEmpty() ? failure : all.get(0);
        all.stream().filter(other -> other != first).forEach(first::addSuppressed);
        return first;
    }
}
