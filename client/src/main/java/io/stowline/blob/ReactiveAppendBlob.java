package io.stowline.blob;

import io.stowline.blob.internal.append.AppendOperations;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.error.internal.PrintableText;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of an {@link AppendBlob}. Nothing is sent before a subscription; appends are made in the order of their
 * subscriptions. Results arrive on the callback threads.
 *
 * <p>Thread-safe. Failures are those of {@link AppendBlob}.
 */
public final class ReactiveAppendBlob {

    private final BlobContext context;
    private final AppendOperations verbs;

    ReactiveAppendBlob(BlobContext context, AppendOperations verbs) {
        this.context = context;
        this.verbs = verbs;
    }

    /**
     * Returns the blob's name.
     *
     * @return the name
     */
    public String name() {
        return verbs.name();
    }

    /**
     * Creates the empty blob; see {@link AppendBlob#create}.
     *
     * @return the end of it
     */
    public Mono<Void> create() {
        return context.delivered(verbs.create());
    }

    /**
     * Creates the empty blob unless there is one; see {@link AppendBlob#createIfMissing}.
     *
     * @return whether it was made
     */
    public Mono<Boolean> createIfMissing() {
        return context.delivered(verbs.createIfMissing());
    }

    /**
     * Appends bytes; see {@link AppendBlob#append}.
     *
     * @param bytes 1 byte to 100 MiB, which must not change until the end
     * @return where they are
     */
    public Mono<BlobWriteResult> append(byte[] bytes) {
        return context.delivered(verbs.append(bytes));
    }

    @Override
    public String toString() {
        return PrintableText.of("ReactiveAppendBlob[" + context.name() + "/" + name() + "]");
    }
}
