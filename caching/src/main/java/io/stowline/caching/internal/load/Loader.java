package io.stowline.caching.internal.load;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A loader that requests a resource from the service. One read may call it more than once, and one call may serve many readers, which it
 * never sees.
 */
@FunctionalInterface
public interface Loader {

    /**
     * Sends one request.
     *
     * @param conditions the conditions of the request; {@link LoadResult#notModified} is a right response only if there are any
     * @return the result; it fails with the error for the readers, and is cancelled when its last reader has left
     */
    Mono<LoadResult> load(Conditions conditions);

    /**
     * Sends one request without retries, for a reader that gets a stale response if it fails. A loader without retries need not override
     * this.
     *
     * @param conditions as for {@link #load}
     * @return as for {@link #load}
     */
    default Mono<LoadResult> loadOnce(Conditions conditions) {
        return load(conditions);
    }

    /**
     * Returns the longest time for which the loader tries. A reader whose loader tries longer does not fail with this one: it starts a load
     * itself.
     *
     * @return the time; unlimited unless overridden
     */
    default Duration patience() {
        return ChronoUnit.FOREVER.getDuration();
    }

    /**
     * Returns how long this reader waits when another one has begun the load; then it fails with a
     * {@link java.util.concurrent.TimeoutException}.
     *
     * @return the time; unlimited unless overridden
     */
    default Duration maxWait() {
        return ChronoUnit.FOREVER.getDuration();
    }

    /**
     * Returns how long this reader waits while the load of another one brings nothing, neither a response nor more of its body; then it
     * fails with a {@link java.util.concurrent.TimeoutException}. For a loader whose time begins again with each part that comes.
     *
     * @return the time; unlimited unless overridden
     */
    default Duration maxStandstill() {
        return ChronoUnit.FOREVER.getDuration();
    }

    /**
     * The conditions of a load: the service sends the resource only if it has changed.
     *
     * @param etag the value of {@code If-None-Match}, null if there is none
     * @param lastModified the value of {@code If-Modified-Since}, null if there is an ETag or nothing to compare with
     */
    record Conditions(@Nullable String etag, @Nullable String lastModified) {

        /** Sets no condition: the service sends the resource in any case. */
        public static final Conditions NONE = new Conditions(null, null);

        /**
         * Returns whether there is a condition.
         *
         * @return true if the response "not modified" is possible
         */
        public boolean any() {
            return etag != null || lastModified != null;
        }
    }

    /**
     * The result of a load. The names of headers have no case.
     *
     * <p>A response that does not come from where writes go, such as one of a secondary endpoint, is to be marked {@link #unkept()}.
     */
    public sealed interface LoadResult {

        /**
         * Returns the result "not modified": the cached version is current.
         *
         * @param headers the headers of the response; they take the place of the ones that were kept, apart from those
         *     that describe the body
         * @return the finding
         */
        static LoadResult notModified(Map<String, String> headers) {
            return new NotModified(headers, true);
        }

        /**
         * Returns a result with a body, with status 200.
         *
         * @param headers the headers of the response; without an ETag and without a time of modification it is handed through and not kept
         * @param length how many bytes the body has, -1 if that is not known
         * @param body the body; it is taken once or not at all, and its buffers stay as they are
         * @return the finding
         */
        static LoadResult found(Map<String, String> headers, long length, Flux<ByteBuffer> body) {
            return new Found(200, headers, length, body, true);
        }

        /**
         * Returns a result with a body.
         *
         * @param status the status, 200 to 299
         * @param headers the headers of the response; without an ETag and without a time of modification it is handed through and not kept
         * @param length how many bytes the body has, -1 if that is not known
         * @param body the body; it is taken once or not at all, and its buffers stay as they are
         * @return the finding
         */
        static LoadResult found(int status, Map<String, String> headers, long length, Flux<ByteBuffer> body) {
            return new Found(status, headers, length, body, true);
        }

        /**
         * Returns a result without a resource.
         *
         * @param status the status, 400 to 499
         * @param headers the headers of the response
         * @param body the body of the response
         * @return the finding
         */
        static LoadResult absent(int status, Map<String, String> headers, byte[] body) {
            return new Absent(
                    status,
                    headers,
                    ByteBuffer.wrap(Objects.requireNonNull(body, "body")).asReadOnlyBuffer(),
                    true);
        }

        /**
         * Returns whether the result is current, so that it may be kept for later readers.
         *
         * @return true unless it is {@link #unkept()}
         */
        boolean kept();

        /**
         * Returns the same result for the waiting readers only, not kept for later ones: it may be older than the last write.
         *
         * @return the finding
         */
        LoadResult unkept();

        /**
         * The cached version is current.
         *
         * @param headers the headers of the response
         * @param kept whether the finding may be kept
         */
        record NotModified(Map<String, String> headers, boolean kept) implements LoadResult {

            public NotModified {
                Objects.requireNonNull(headers, "headers");
            }

            @Override
            public LoadResult unkept() {
                return new NotModified(headers, false);
            }
        }

        /**
         * The resource exists: a response with a body.
         *
         * @param status the status, 200 to 299
         * @param headers the headers of the response
         * @param length how many bytes the body has, -1 if that is not known
         * @param body the body, to be taken once
         * @param kept whether the finding may be kept
         */
        record Found(int status, Map<String, String> headers, long length, Flux<ByteBuffer> body, boolean kept)
                implements LoadResult {

            public Found {
                Objects.requireNonNull(headers, "headers");
                Objects.requireNonNull(body, "body");
                if (status < 200 || status > 299) {
                    throw new IllegalArgumentException("status is " + status + "; what is found has 200 to 299");
                }
                if (length < -1) {
                    throw new IllegalArgumentException("length is " + length + "; the least is -1, for not known");
                }
            }

            @Override
            public LoadResult unkept() {
                return new Found(status, headers, length, body, false);
            }
        }

        /**
         * The resource does not exist.
         *
         * @param status the status, 400 to 499
         * @param headers the headers of the response
         * @param body the body of the response
         * @param kept whether the finding may be kept
         */
        record Absent(int status, Map<String, String> headers, ByteBuffer body, boolean kept) implements LoadResult {

            public Absent {
                Objects.requireNonNull(headers, "headers");
                Objects.requireNonNull(body, "body");
                if (status < 400 || status > 499) {
                    throw new IllegalArgumentException("status is " + status + "; an absence has 400 to 499");
                }
            }

            @Override
            public LoadResult unkept() {
                return new Absent(status, headers, body, false);
            }
        }
    }
}
