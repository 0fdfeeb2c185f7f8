package io.stowline.blob;

import io.stowline.blob.internal.BlobScope;
import io.stowline.blob.internal.CachedBlobs;
import io.stowline.blob.internal.CachedCopy;
import io.stowline.caching.CachedRead;
import io.stowline.caching.Freshness;
import io.stowline.transport.internal.Await;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Objects;
import reactor.core.publisher.Mono;

/**
 * Reads of blobs that need not ask the service each time; made by {@link BlobContainer#cached}.
 *
 * <pre>{@code
 * CachedContainer lookups = photos.cached(Freshness.fresh(Duration.ofSeconds(30)));
 * CachedRead<byte[]> read = lookups.download("prices.json");
 * }</pre>
 *
 * <p>When the window of the {@link Freshness} is over, the service is asked with the ETag of what is there, and sends nothing if that still
 * holds. Many readers of one blob that is not there yet are one request. A write through this client, by whatever holder, makes the next
 * read ask the service; after a write whose answer was lost every read does until it can no longer take effect. The whole of a blob, each
 * of its ranges and its facts are kept apart, in the one cache of this client: {@link io.stowline.Stowline.Builder#cache} bounds it and
 * gives it a folder for large blobs.
 *
 * <p>A blob that is not there is an empty result; a container that is not there is an error. All reads go to the primary. Thread-safe;
 * {@link #reactive()} has the same verbs without blocking. Failures are those of {@link BlobContainer}.
 */
public final class CachedContainer {

    private final BlobScope scope;
    private final Freshness freshness;
    private final CachedBlobs blobs;

    CachedContainer(BlobScope scope, Freshness freshness) {
        this.scope = scope;
        this.freshness = Objects.requireNonNull(freshness, "freshness");
        this.blobs = new CachedBlobs(scope, freshness);
    }

    /**
     * The same verbs without blocking.
     *
     * @return the reactive face
     */
    public ReactiveCachedContainer reactive() {
        return new ReactiveCachedContainer(scope, freshness);
    }

    /**
     * Reads a small blob into memory, at most 64 MiB.
     *
     * @param name the blob's name
     * @return its content, and how the read was answered
     * @throws IllegalStateException if it is larger
     */
    public CachedRead<byte[]> download(String name) {
        return download(name, BlobContainer.DOWNLOAD_LIMIT);
    }

    /**
     * Reads a blob into memory.
     *
     * @param name the blob's name
     * @param limit the most bytes that it may have
     * @return its content, and how the read was answered
     * @throws IllegalStateException if it is larger
     */
    public CachedRead<byte[]> download(String name, int limit) {
        return await(blobs.download(name, limit));
    }

    /**
     * Reads a part of a blob into memory.
     *
     * @param name the blob's name
     * @param offset where the part begins
     * @param count how many bytes at the most, 1 to 64 MiB
     * @return the part, or as much of it as the blob has, and how the read was answered
     * @throws io.stowline.error.BadRequestException if the blob ends before the offset
     */
    public CachedRead<byte[]> range(String name, long offset, int count) {
        return await(blobs.range(name, offset, count));
    }

    /**
     * Reads a blob into a file, which gets its name when it is complete. If there is no such blob, the file stays as it is.
     *
     * @param name the blob's name
     * @param target the file, replaced if it is there
     * @return the blob that was read, and how the read was answered
     * @throws java.io.UncheckedIOException if the file cannot be written
     */
    public CachedRead<BlobFacts> downloadTo(String name, Path target) {
        return new CachedCopy(blobs, name).file(target);
    }

    /**
     * Reads a blob into a stream, which is flushed and not closed. If there is no such blob, nothing is written.
     *
     * @param name the blob's name
     * @param target the stream
     * @return the blob that was read, and how the read was answered
     * @throws java.io.UncheckedIOException if the stream cannot be written
     */
    public CachedRead<BlobFacts> downloadTo(String name, OutputStream target) {
        return new CachedCopy(blobs, name).stream(target);
    }

    /**
     * Reads what the service knows of a blob.
     *
     * @param name the blob's name
     * @return its facts, and how the read was answered
     */
    public CachedRead<BlobFacts> properties(String name) {
        return await(blobs.facts(name));
    }

    /**
     * Forgets a blob, of which is known that somebody else has changed it.
     *
     * @param name the blob's name
     */
    public void invalidate(String name) {
        blobs.invalidate(name);
    }

    private static <A> A await(Mono<A> read) {
        return Objects.requireNonNull(Await.on(read), "the read ended without a result");
    }

    @Override
    public String toString() {
        return "CachedContainer[" + scope.name() + ", " + freshness + "]";
    }
}
