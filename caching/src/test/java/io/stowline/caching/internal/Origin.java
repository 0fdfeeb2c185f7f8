package io.stowline.caching.internal;

import io.stowline.caching.Conditions;
import io.stowline.caching.Loaded;
import io.stowline.caching.Loader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** One resource of a service, which answers at once or when it is told to. */
final class Origin implements Loader {

    final AtomicInteger requests = new AtomicInteger();
    final AtomicInteger bodies = new AtomicInteger();
    final AtomicInteger cancelled = new AtomicInteger();
    final AtomicInteger bodiesCancelled = new AtomicInteger();
    final List<Conditions> asked = new ArrayList<>();
    final List<Sinks.One<Loaded>> waiting = new ArrayList<>();
    final Map<String, String> more = new HashMap<>();

    private @Nullable String content = "one";
    private int version = 1;
    boolean holding;
    boolean heedless;
    boolean withoutEtag;
    boolean lengthUnknown;

    @Nullable
    Throwable failure;

    void write(@Nullable String changed) {
        content = changed;
        version++;
    }

    @Override
    public Mono<Loaded> load(Conditions conditions) {
        requests.incrementAndGet();
        synchronized (this) {
            asked.add(conditions);
        }
        if (!holding) {
            return Mono.fromSupplier(() -> answer(conditions));
        }
        Sinks.One<Loaded> sink = Sinks.one();
        waiting.add(sink);
        return sink.asMono().doOnCancel(cancelled::incrementAndGet);
    }

    /** Lets the oldest request that is held be answered with what is there now. */
    void release() {
        Sinks.One<Loaded> sink = waiting.remove(0);
        try {
            sink.tryEmitValue(answer(asked.get(asked.size() - waiting.size() - 1)));
        } catch (RuntimeException e) {
            sink.tryEmitError(e);
        }
    }

    /** Answers the oldest request that is held. */
    void release(Loaded answer) {
        waiting.remove(0).tryEmitValue(answer);
    }

    Loaded answer(Conditions conditions) {
        if (failure != null) {
            throw failure instanceof RuntimeException e ? e : new IllegalStateException(failure);
        }
        if (content == null) {
            return Loaded.absent(404, Map.of(), "gone".getBytes(StandardCharsets.UTF_8));
        }
        if (!heedless && isSame(conditions)) {
            return Loaded.notModified(Map.of("x-ms-request-id", "of 304", "Content-Length", "0"));
        }
        bodies.incrementAndGet();
        return found(content);
    }

    private boolean isSame(Conditions conditions) {
        String modified = conditions.lastModified();
        return modified == null ? etag().equals(conditions.etag()) : modified.equals(more.get("Last-Modified"));
    }

    Loaded found(String text) {
        Map<String, String> headers = new HashMap<>(more);
        if (!withoutEtag) {
            headers.put("ETag", etag());
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Flux<ByteBuffer> body = Flux.range(0, (bytes.length + 9) / 10)
                .map(n -> ByteBuffer.wrap(bytes, n * 10, Math.min(10, bytes.length - n * 10)))
                .doOnCancel(bodiesCancelled::incrementAndGet);
        return Loaded.found(headers, lengthUnknown ? -1 : bytes.length, body);
    }

    String etag() {
        return "\"" + version + "\"";
    }
}
