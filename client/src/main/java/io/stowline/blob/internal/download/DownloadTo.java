package io.stowline.blob.internal.download;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlockingTask;
import io.stowline.blob.internal.base.BlockingTask.StreamFailure;
import io.stowline.blob.internal.download.Download.PieceCursor;
import io.stowline.transport.internal.account.NameRules;
import io.stowline.transport.internal.concurrent.BlockingAwait;
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

    private final BlobContext scope;
    private final String name;

    /**
     * A download.
     *
     * @param scope the container
     * @throws IllegalArgumentException if the service does not allow the name
     */
    public DownloadTo(BlobContext scope, String name) {
        this.scope = scope;
        this.name = NameRules.blob(name);
    }

    /** Brings the blob to where it is wanted. */
    private interface Copying {
        BlobInfo copy(DownloadTo parts) throws IOException;
    }

    /** Where a piece goes. */
    private interface Target {
        void write(byte[] bytes) throws IOException;
    }

    /**
     * Writes the blob to a stream.
     *
     * @param target the stream, flushed and not closed
     * @throws UncheckedIOException if the stream cannot be written
     */
    public BlobInfo stream(OutputStream target) {
        return stream(target, Context.empty());
    }

    private BlobInfo stream(OutputStream target, ContextView seen) {
        return whole(seen, parts -> {
            BlobInfo facts = parts.copy(target::write);
            target.flush();
            return facts;
        });
    }

    /**
     * Writes the blob to a file that gets its name when it is complete.
     *
     * @param target the file, replaced if it is there
     * @throws UncheckedIOException if the file cannot be written
     */
    public BlobInfo file(Path target) {
        return file(target, Context.empty());
    }

    private BlobInfo file(Path target, ContextView seen) {
        return whole(seen, parts -> {
            try (AtomicFile part = AtomicFile.beside(target)) {
                BlobInfo facts = parts.copy(part::write);
                part.complete();
                return facts;
            }
        });
    }

    /** All its requests are one operation. */
    private BlobInfo whole(ContextView seen, Copying copying) {
        BlockingAwait.refuseEventLoop();
        return scope.driven(VERB, name, seen, parts -> {
            try {
                return copying.copy(new DownloadTo(parts, name));
            } catch (IOException e) {
                throw failed(e);
            }
        });
    }

    private BlobInfo copy(Target target) throws IOException {
        DownloadVerifier content = new DownloadVerifier(scope, VERB);
        try (PieceCursor pieces = new PieceCursor(scope, VERB, name)) {
            for (BlobPiece piece = pieces.next(); piece != null; piece = pieces.next()) {
                content.add(piece);
                target.write(piece.bytes());
            }
        }
        return content.checked();
    }

    private RuntimeException failed(IOException e) {
        return StreamFailure.of(VERB + " " + scope.resource(name) + ": " + e, e);
    }

    /** The same as {@link #stream} on another thread. */
    public Mono<BlobInfo> streamLater(OutputStream target) {
        return Mono.deferContextual(seen -> BlockingTask.call(() -> stream(target, seen)));
    }

    /** The same as {@link #file} on another thread. */
    public Mono<BlobInfo> fileLater(Path target) {
        return Mono.deferContextual(seen -> BlockingTask.call(() -> file(target, seen)));
    }
}
