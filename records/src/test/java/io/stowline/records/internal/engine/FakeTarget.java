package io.stowline.records.internal.engine;

import io.stowline.records.internal.blob.ChunkTarget;
import io.stowline.records.internal.chunk.ChunkSeal;
import io.stowline.records.internal.chunk.SealedChunk;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;

/** A target in memory that ends its deliveries in turn as a test has set it, and at once otherwise. */
final class FakeTarget implements ChunkTarget {

    private final Map<String, String> blobs = Collections.synchronizedMap(new LinkedHashMap<>());
    private final Deque<Mono<Void>> next = new ArrayDeque<>();
    private boolean closed;

    /** Sets the end of the next delivery that has none; its blob is there when it succeeds. */
    synchronized FakeTarget then(Mono<Void> end) {
        next.add(end);
        return this;
    }

    FakeTarget thenFail(Throwable error) {
        return then(Mono.error(error));
    }

    private synchronized Mono<Void> poll() {
        return next.isEmpty() ? Mono.empty() : next.poll();
    }

    @Override
    public Mono<String> deliver(SealedChunk chunk) {
        return Mono.defer(() -> {
            String blob = chunk.name().session() + "-" + chunk.name().sequence();
            String content = new String(chunk.content(), StandardCharsets.UTF_8);
            chunk.seal(new ChunkSeal(blob, 0, content.length(), "hash"));
            return poll().then(Mono.fromCallable(() -> {
                blobs.put(blob, content);
                return blob;
            }));
        });
    }

    @Override
    public Mono<Void> close() {
        closed = true;
        return Mono.empty();
    }

    boolean isClosed() {
        return closed;
    }

    List<String> blobs() {
        return List.copyOf(blobs.values());
    }

    List<String> records() {
        List<String> all = new ArrayList<>();
        blobs().stream().flatMap(blob -> Stream.of(blob.split("\n"))).forEach(all::add);
        return all;
    }
}
