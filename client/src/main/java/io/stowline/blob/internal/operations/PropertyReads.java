package io.stowline.blob.internal.operations;

import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.request.BlobReads;
import io.stowline.blob.internal.request.BlobReads.StoredProperties;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.ExecutionOptions.ReadRoute;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The reads of a blob's properties by requests of this library. What they give arrives on an I/O thread. Thread-safe. */
public record PropertyReads(BlobContext context) {

    /**
     * Reads the properties of a version, which the response has to name, at the primary.
     *
     * @param ifMatch the only version, or {@code null} for the present one
     */
    public Mono<StoredProperties> version(String verb, String name, @Nullable String ifMatch) {
        return atPrimary(verb, name, ifMatch, () -> new BlobReads(context, verb, name).version(ifMatch));
    }

    /**
     * Reads the properties at the primary.
     *
     * @param ifMatch the only version, or {@code null} for the present one
     */
    public Mono<StoredProperties> of(String verb, String name, @Nullable String ifMatch) {
        return atPrimary(verb, name, ifMatch, () -> new BlobReads(context, verb, name).properties(ifMatch));
    }

    private Mono<StoredProperties> atPrimary(
            String verb, String name, @Nullable String ifMatch, Supplier<Exchange<StoredProperties>> request) {
        return observed(verb, name, request, (found, exchange) -> {
            BlobOperations.refuseOther(
                    FailureFacts.of(verb, context.resource(name))
                            .ids(found.ids())
                            .status(200, null),
                    ifMatch,
                    found.info().etag());
            return found;
        });
    }

    /** Reads the properties at one of the places that the view chooses. */
    Mono<StoredProperties> routed(String verb, String name) {
        ReadRoute route = context.reads().any();
        return observed(
                verb,
                name,
                () -> new BlobReads(context, verb, name).properties(null).routed(route),
                (found, exchange) -> found);
    }

    /** Returns true, or an error if the blob is missing. */
    Mono<Boolean> existence(String verb, String name) {
        return observed(verb, name, () -> new BlobReads(context, verb, name).existence(), (found, exchange) -> found);
    }

    private <A> Mono<A> observed(
            String verb, String name, Supplier<Exchange<A>> request, BiFunction<A, Exchange<A>, A> result) {
        return context.named(
                name, () -> context.calls().direct().observed(verb, () -> context.resource(name), request, result));
    }
}
