package io.stowline.caching.internal.engine;

import io.stowline.caching.internal.load.Loader;
import io.stowline.caching.internal.load.Loader.Conditions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A resource of the model: all versions that it has had, and the requests for it that are in flight. */
final class ModelResource {

    /** A request: seen by the service at one moment, with its response at a later one. */
    final class Request {
        final long begun;
        final String scope;
        final Conditions conditions;
        final Sinks.One<Loader.LoadResult> response = Sinks.one();

        Loader.@Nullable LoadResult seen;

        @Nullable
        RuntimeException failure;

        boolean over;

        Request(long begun, String scope, Conditions conditions) {
            this.begun = begun;
            this.scope = scope;
            this.conditions = conditions;
        }

        void serve(boolean heedless) {
            if (seen == null) {
                seen = respond(scope, conditions, heedless);
            }
        }

        void deliver(@Nullable RuntimeException failed) {
            serve(false);
            over = true;
            if (failed == null) {
                response.tryEmitValue(seen);
            } else {
                response.tryEmitError(failed);
            }
        }
    }

    final String name;
    final List<Request> underWay = new ArrayList<>();
    /** The end of each version, the last one never; version 0 is an absence, as is every fifth. */
    private final List<Long> ends = new ArrayList<>(List.of(Long.MAX_VALUE));

    private final int size;

    ModelResource(String name, int size) {
        this.name = name;
        this.size = size;
    }

    void write(long now) {
        ends.set(ends.size() - 1, now);
        ends.add(Long.MAX_VALUE);
    }

    /** Returns the end of a version's time. */
    long end(int version) {
        return ends.get(version);
    }

    Mono<Loader.LoadResult> load(long now, String scope, Conditions conditions) {
        Request request = new Request(now, scope, conditions);
        underWay.add(request);
        return request.response.asMono().doOnCancel(() -> request.over = true);
    }

    private Loader.LoadResult respond(String scope, Conditions conditions, boolean heedless) {
        int version = ends.size() - 1;
        String text = scope + " " + version + " ";
        if (version % 5 == 0) {
            return Loader.LoadResult.absent(404, Map.of(), text.getBytes(StandardCharsets.UTF_8));
        }
        String etag = "\"" + version + "\"";
        if (!heedless && etag.equals(conditions.etag())) {
            return Loader.LoadResult.notModified(Map.of());
        }
        byte[] body = (text + "x".repeat(version % 2 == 0 ? size : 0)).getBytes(StandardCharsets.UTF_8);
        int length = version % 3 == 0 ? -1 : body.length;
        return Loader.LoadResult.found(
                Map.of("ETag", etag), length, Flux.defer(() -> Flux.just(ByteBuffer.wrap(body))));
    }
}
