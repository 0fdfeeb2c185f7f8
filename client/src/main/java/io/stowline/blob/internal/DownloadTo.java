package io.stowline.blob.internal;

import io.stowline.blob.BlobFacts;
import io.stowline.transport.internal.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** Brings one blob to a file or a stream, on a thread that may block. Thread-safe. */
public final class DownloadTo {

    private static final String VERB = "downloadTo";

    private final BlobScope scope;
    private final String name;

    /**
     * A download.
     *
     * @param scope the container
     * @param name the blob
     * @throws IllegalArgumentException if the service does not allow the name
     */
    public DownloadTo(BlobScope scope, String name) {
        this.scope = scope;
        this.name = BlobNames.check(name);
    }

    /** Brings the blob to where it is wanted. */
    private interface Copying {
        BlobFacts copy(DownloadTo parts) throws IOException;
    }

    /** Where a piece goes. */
    private interface Target {
        void write(byte[] bytes) throws IOException;
    }

    /**
     * Writes the blob to a stream.
     *
     * @param target the stream, flushed and not closed
     * @return the blob
     * @throws UncheckedIOException if the stream cannot be written
     */
    public BlobFacts stream(OutputStream target) {
        return stream(target, Context.empty());
    }

    private BlobFacts stream(OutputStream target, ContextView seen) {
        return whole(seen, parts -> {
            BlobFacts facts = parts.copy(target::write);
            target.flush();
            return facts;
        });
    }

    /**
     * Writes the blob to a file that gets its name when it is complete.
     *
     * @param target the file, replaced if it is there
     * @return the blob
     * @throws UncheckedIOException if the file cannot be written
     */
    public BlobFacts file(Path target) {
        return file(target, Context.empty());
    }

    private BlobFacts file(Path target, ContextView seen) {
        return whole(seen, parts -> {
            try (PartFile part = PartFile.beside(target)) {
                BlobFacts facts = parts.copy(part::write);
                part.complete();
                return facts;
            }
        });
    }

    /** All its requests are one operation. */
    private BlobFacts whole(ContextView seen, Copying copying) {
        Await.refuseEventLoop();
        return scope.driven(VERB, name, seen, parts -> {
            try {
                return copying.copy(new DownloadTo(parts, name));
            } catch (IOException e) {
                throw failed(e);
            }
        });
    }

    private BlobFacts copy(Target target) throws IOException {
        Content content = new Content(scope, VERB);
        try (PieceCursor pieces = new PieceCursor(scope, VERB, name)) {
            for (Piece piece = pieces.next(); piece != null; piece = pieces.next()) {
                content.add(piece);
                target.write(piece.bytes());
            }
        }
        return content.checked();
    }

    private UncheckedIOException failed(IOException e) {
        return new UncheckedIOException(VERB + " " + scope.resource(name) + ": " + e, e);
    }

    /**
     * The same as {@link #stream} on another thread.
     *
     * @param target the stream
     * @return the blob
     */
    public Mono<BlobFacts> streamLater(OutputStream target) {
        return Mono.deferContextual(seen -> Elastic.call(() -> stream(target, seen)));
    }

    /**
     * The same as {@link #file} on another thread.
     *
     * @param target the file
     * @return the blob
     */
    public Mono<BlobFacts> fileLater(Path target) {
        return Mono.deferContextual(seen -> Elastic.call(() -> file(target, seen)));
    }
}
