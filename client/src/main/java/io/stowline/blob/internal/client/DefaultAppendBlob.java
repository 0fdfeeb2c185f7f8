package io.stowline.blob.internal.client;

import io.stowline.blob.AppendBlob;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.ReactiveAppendBlob;
import io.stowline.blob.internal.append.AppendOperations;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.error.internal.PrintableText;
import io.stowline.transport.internal.concurrent.BlockingAwait;

/** {@link AppendBlob} that waits for its {@link AppendOperations}. */
record DefaultAppendBlob(BlobContext context, AppendOperations verbs) implements AppendBlob {

    @Override
    public String name() {
        return verbs.name();
    }

    @Override
    public ReactiveAppendBlob reactive() {
        return new DefaultReactiveAppendBlob(context, verbs);
    }

    @Override
    public void create() {
        BlockingAwait.on(verbs.create());
    }

    @Override
    public boolean createIfMissing() {
        return BlockingAwait.result(verbs.createIfMissing());
    }

    @Override
    public BlobWriteResult append(byte[] bytes) {
        return BlockingAwait.result(verbs.append(bytes));
    }

    @Override
    public BlobWriteResult append(byte[] bytes, long position) {
        return BlockingAwait.result(verbs.append(bytes, position));
    }

    @Override
    public int maxAppend() {
        return verbs.maxBytes();
    }

    @Override
    public String toString() {
        return PrintableText.of("AppendBlob[" + context.name() + "/" + name() + "]");
    }
}
