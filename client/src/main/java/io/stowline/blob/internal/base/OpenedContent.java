package io.stowline.blob.internal.base;

import io.stowline.blob.BlobInfo;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.publisher.Flux;

/**
 * The content of a blob, or of a part of it, that is known before its first byte is read. One reader; closing comes from any thread.
 *
 * @param info the blob, in the version of the content
 * @param length the bytes of the content
 * @param source the content, for one subscriber
 * @param release frees what it holds, more than once
 */
public record OpenedContent(BlobInfo info, long length, Flux<ByteBuffer> source, Runnable release)
        implements AutoCloseable {

    /** Returns the content for one subscriber, whose end frees it. */
    public Flux<ByteBuffer> once() {
        AtomicBoolean read = new AtomicBoolean();
        return Flux.defer(() -> read.compareAndSet(false, true)
                ? source.doFinally(end -> release.run())
                : Flux.error(new IllegalStateException("the content is read already; open the blob once more")));
    }

    @Override
    public void close() {
        release.run();
    }
}
