package io.stowline.blob.internal.client;

import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.ReactiveAppendBlob;
import io.stowline.blob.internal.append.AppendOperations;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.error.internal.PrintableText;
import reactor.core.publisher.Mono;

/** {@link ReactiveAppendBlob} that delivers the results of its {@link AppendOperations}. */
record DefaultReactiveAppendBlob(BlobContext context, AppendOperations verbs) implements ReactiveAppendBlob {

    @Override
    public String name() {
        return verbs.name();
    }

    @Override
    public Mono<Void> create() {
        return context.delivered(verbs.create());
    }

    @Override
    public Mono<Boolean> createIfMissing() {
        return context.delivered(verbs.createIfMissing());
    }

    @Override
    public Mono<BlobWriteResult> append(byte[] bytes) {
        return context.delivered(verbs.append(bytes));
    }

    @Override
    public Mono<BlobWriteResult> append(byte[] bytes, long position) {
        return context.delivered(verbs.append(bytes, position));
    }

    @Override
    public int maxAppend() {
        return verbs.maxBytes();
    }

    @Override
    public String toString() {
        return PrintableText.of("ReactiveAppendBlob[" + context.name() + "/" + name() + "]");
    }
}
