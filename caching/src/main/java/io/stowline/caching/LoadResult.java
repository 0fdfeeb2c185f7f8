package io.stowline.caching;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import reactor.core.publisher.Flux;

/**
 * The result of a load. The names of headers have no case.
 *
 * <p>An answer that does not come from where writes go, such as one of a secondary endpoint, is to be marked {@link #unkept()}.
 */
public sealed interface LoadResult {

    /**
     * Returns the result "not modified": the cached version is current.
     *
     * @param headers the headers of the answer; they take the place of the ones that were kept, apart from those that describe the body
     * @return the finding
     */
    static LoadResult notModified(Map<String, String> headers) {
        return new NotModified(headers, true);
    }

    /**
     * Returns a result with a body, with status 200.
     *
     * @param headers the headers of the answer; without an ETag and without a time of modification it is handed through and not kept
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
     * @param headers the headers of the answer; without an ETag and without a time of modification it is handed through and not kept
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
     * @param headers the headers of the answer
     * @param body the body of the answer
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
     * @param headers the headers of the answer
     * @param kept whether the finding may be kept
     */
    record NotModified(Map<String, String> headers, boolean kept) implements LoadResult {

        /**
         * Checks that there are headers.
         *
         * @param headers those of the answer
         * @param kept whether it may be kept
         */
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
     * @param headers the headers of the answer
     * @param length how many bytes the body has, -1 if that is not known
     * @param body the body, to be taken once
     * @param kept whether the finding may be kept
     */
    record Found(int status, Map<String, String> headers, long length, Flux<ByteBuffer> body, boolean kept)
            implements LoadResult {

        /**
         * Refuses a status that is no success.
         *
         * @param status the status, 200 to 299
         * @param headers the headers of the answer
         * @param length how many bytes the body has, -1 if that is not known
         * @param body the body, to be taken once
         * @param kept whether the finding may be kept
         * @throws IllegalArgumentException if the status is no success, or the length below -1
         */
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
     * @param headers the headers of the answer
     * @param body the body of the answer
     * @param kept whether the finding may be kept
     */
    record Absent(int status, Map<String, String> headers, ByteBuffer body, boolean kept) implements LoadResult {

        /**
         * Refuses a status that is none of an absence.
         *
         * @param status the status, 400 to 499
         * @param headers the headers of the answer
         * @param body the body of the answer
         * @param kept whether the finding may be kept
         * @throws IllegalArgumentException if the status says something else
         */
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
