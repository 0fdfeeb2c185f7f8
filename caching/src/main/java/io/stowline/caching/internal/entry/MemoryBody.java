package io.stowline.caching.internal.entry;

import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A body in memory. */
public final class MemoryBody implements CachedBody {

    private final byte[] content;

    public MemoryBody(byte[] content) {
        this.content = content;
    }

    public static MemoryBody of(ByteBuffer body) {
        byte[] content = new byte[body.remaining()];
        body.duplicate().get(content);
        return new MemoryBody(content);
    }

    @Override
    public long length() {
        return content.length;
    }

    @Override
    public Flux<ByteBuffer> flux() {
        return content.length == 0
                ? Flux.empty()
                : Flux.defer(() -> Flux.just(ByteBuffer.wrap(content).asReadOnlyBuffer()));
    }

    @Override
    public Mono<byte[]> bytes() {
        return Mono.fromSupplier(content::clone);
    }

    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public void close() {}
}
