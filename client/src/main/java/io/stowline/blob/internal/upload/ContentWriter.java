package io.stowline.blob.internal.upload;

import io.stowline.blob.BlobWriteResult;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A writer that makes a blob of bytes whose number and pace their owner decides. One caller appends and waits; nothing is made without a commit. */
public interface ContentWriter extends AutoCloseable {

    /** Returns why it takes no bytes, or null while it does. */
    @Nullable
    Throwable failure();

    /** Takes all of these bytes; they may be changed once it has completed. */
    Mono<Void> append(ByteBuffer bytes);

    /** Makes the blob of all bytes: in one request if none has gone out yet. */
    Mono<BlobWriteResult> commit();

    /** Gives up what is not committed. */
    @Override
    void close();
}
