package io.stowline.blob.internal.directory;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlockingTask;
import io.stowline.blob.internal.download.Download;
import io.stowline.blob.internal.download.Download.Begun;
import io.stowline.blob.internal.download.DownloadVerifier;
import io.stowline.blob.internal.upload.Upload;
import java.nio.ByteBuffer;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A transfer that streams one blob through this client to another container, range by range and all of one version. Nothing is committed unless length and
 * stored MD5 of the source are right. No thread waits while it runs. Stateless.
 */
final class StreamedCopy {

    private static final String VERB = "copyDirectory";

    private StreamedCopy() {}

    /**
     * Copies a blob.
     *
     * @param empty whether the listing shows it to be empty
     * @param settings how the copy is uploaded, by the version of the source that is read; code of the application, which may wait
     */
    static Mono<BlobWriteResult> of(
            BlobContext source,
            String name,
            boolean empty,
            BlobContext target,
            String copy,
            Function<BlobInfo, UploadSettings> settings) {
        BlobContext primary = source.atPrimary();
        Download download = new Download(primary);
        return Mono.usingWhen(
                empty ? download.begunEmpty(VERB, name) : download.begun(VERB, name, null),
                begun -> BlockingTask.call(() -> settings.apply(begun.info()))
                        .flatMap(made -> new Upload(target, copy, made).publisher(content(primary, begun))),
                begun -> Mono.fromRunnable(begun::close));
    }

    /** Fails at its end if it is not the content of the blob. */
    private static Flux<ByteBuffer> content(BlobContext source, Begun begun) {
        DownloadVerifier content = new DownloadVerifier(source, VERB);
        return begun.pieces()
                .concatMap(
                        piece -> Mono.fromFuture(content.addBeside(piece)).thenReturn(ByteBuffer.wrap(piece.bytes())),
                        0)
                .concatWith(Mono.fromCallable(content::checked).then(Mono.empty()));
    }
}
