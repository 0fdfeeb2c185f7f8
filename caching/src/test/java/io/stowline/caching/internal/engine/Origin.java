package io.stowline.caching.internal.engine;

import io.stowline.caching.internal.load.Loader;
import io.stowline.caching.internal.load.Loader.Conditions;
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

/** One resource of a service, which responds at once or when the test says so. */
public final class Origin implements Loader {

    public final AtomicInteger requests = new AtomicInteger();
    public final AtomicInteger bodies = new AtomicInteger();
    final AtomicInteger cancelled = new AtomicInteger();
    public final AtomicInteger bodiesCancelled = new AtomicInteger();
    public final List<Conditions> requested = new ArrayList<>();
    public final List<Sinks.One<Loader.LoadResult>> waiting = new ArrayList<>();
    public final Map<String, String> more = new HashMap<>();

    private @Nullable String content = "one";
    private int version = 1;
    public boolean holding;
    public boolean heedless;
    public boolean withoutEtag;
    public boolean lengthUnknown;

    public @Nullable Throwable failure;

    public void write(@Nullable String changed) {
        content = changed;
        version++;
    }

    @Override
    public Mono<Loader.LoadResult> load(Conditions conditions) {
        requests.incrementAndGet();
        synchronized (this) {
            requested.add(conditions);
        }
        if (!holding) {
            return Mono.fromSupplier(() -> respond(conditions));
        }
        Sinks.One<Loader.LoadResult> sink = Sinks.one();
        waiting.add(sink);
        return sink.asMono().doOnCancel(cancelled::incrementAndGet);
    }

    /** Gives the oldest waiting request the present state. */
    public void release() {
        Sinks.One<Loader.LoadResult> sink = waiting.remove(0);
        try {
            sink.tryEmitValue(respond(requested.get(requested.size() - waiting.size() - 1)));
        } catch (RuntimeException e) {
            sink.tryEmitError(e);
        }
    }

    /** Gives the oldest waiting request this response. */
    public void release(Loader.LoadResult response) {
        waiting.remove(0).tryEmitValue(response);
    }

    Loader.LoadResult respond(Conditions conditions) {
        if (failure != null) {
            throw failure instanceof RuntimeException e ? e : new IllegalStateException(failure);
        }
        if (content == null) {
            return Loader.LoadResult.absent(404, Map.of(), "gone".getBytes(StandardCharsets.UTF_8));
        }
        if (!heedless && isSame(conditions)) {
            return Loader.LoadResult.notModified(Map.of("x-ms-request-id", "of 304", "Content-Length", "0"));
        }
        bodies.incrementAndGet();
        return found(content);
    }

    private boolean isSame(Conditions conditions) {
        String modified = conditions.lastModified();
        return modified == null ? etag().equals(conditions.etag()) : modified.equals(more.get("Last-Modified"));
    }

    public Loader.LoadResult found(String text) {
        Map<String, String> headers = new HashMap<>(more);
        if (!withoutEtag) {
            headers.put("ETag", etag());
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Flux<ByteBuffer> body = Flux.range(0, (bytes.length + 9) / 10)
                .map(n -> ByteBuffer.wrap(bytes, n * 10, Math.min(10, bytes.length - n * 10)))
                .doOnCancel(bodiesCancelled::incrementAndGet);
        return Loader.LoadResult.found(headers, lengthUnknown ? -1 : bytes.length, body);
    }

    String etag() {
        return "\"" + version + "\"";
    }
}
