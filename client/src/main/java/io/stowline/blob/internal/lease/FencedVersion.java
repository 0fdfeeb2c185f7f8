package io.stowline.blob.internal.lease;

import io.stowline.blob.internal.base.SerialQueue;
import io.stowline.error.PreconditionFailedException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The version of one blob that one term has made last, which all its writes to the blob share. They go one by one, and each makes the
 * version unproved until its outcome is proved. Equal for one address. Thread-safe.
 */
final class FencedVersion {

    private final String address;
    private final SerialQueue turns = new SerialQueue();
    private final AtomicReference<Step> newest = new AtomicReference<>(new Step(null));

    FencedVersion(String address) {
        this.address = address;
    }

    /** The end of a step, or a step that has not ended with a proof. */
    private static final class Step {

        private final @Nullable String etag;

        Step(@Nullable String etag) {
            this.etag = etag;
        }
    }

    SerialQueue turns() {
        return turns;
    }

    /** Returns its ETag, or {@code null} unless it is proved. */
    @Nullable
    String etag() {
        return Objects.requireNonNull(newest.get()).etag;
    }

    /**
     * Runs a step that changes the version, which is unproved until its end. Once a later step has begun, the end of this one proves
     * nothing.
     *
     * @param change makes the step by the ETag before it, {@code null} unless that was proved
     * @param etag gives the ETag that the step has made; empty if the response lacks it
     */
    <T> Mono<T> changed(Function<@Nullable String, Mono<T>> change, Function<? super T, String> etag) {
        return Mono.defer(() -> {
            String known = etag();
            Step step = new Step(null);
            newest.set(step);
            return change.apply(known)
                    .doOnNext(made -> ended(step, etag.apply(made)))
                    .doOnError(PreconditionFailedException.class, e -> ended(step, known));
        });
    }

    private void ended(Step step, @Nullable String etag) {
        newest.compareAndSet(step, new Step(etag == null || etag.isEmpty() ? null : etag));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FencedVersion version && version.address.equals(address);
    }

    @Override
    public int hashCode() {
        return address.hashCode();
    }
}
