package io.stowline.blob.internal.upload;

import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlockingTask;
import io.stowline.blob.internal.transfer.TransferMemory.Share;
import io.stowline.blob.internal.upload.ByteSource.FileSource;
import io.stowline.blob.internal.upload.Upload.FileOpening;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * The content of a file that is uploaded. What fits into one small request is read at once, so that one visit to the disk is enough; others
 * stay open.
 */
record OpenedFile(ByteSource source, UploadSettings settings) {

    /**
     * Opens a file.
     *
     * @param settings gives the settings by the time when the file was last modified
     * @param share holds the memory of a small file, if there is room for it
     * @param failures what the caller gets for an error of the file
     */
    static OpenedFile of(
            Path file,
            FileOpening opening,
            Function<Instant, UploadSettings> settings,
            Share share,
            Function<IOException, RuntimeException> failures)
            throws IOException {
        FileSource source = new FileSource(file, opening, failures);
        boolean stays = false;
        try {
            UploadSettings chosen = settings.apply(source.modified());
            boolean small =
                    source.length() <= Math.min(FileSource.SMALL, chosen.blockSize()) && share.tryTake(source.length());
            OpenedFile opened = new OpenedFile(small ? source.whole() : source, chosen);
            stays = !small;
            return opened;
        } finally {
            if (!stays) {
                source.close();
            }
        }
    }

    /** Closes what is open. */
    Mono<Void> closed() {
        return source instanceof FileSource open
                ? BlockingTask.call(() -> {
                            open.close();
                            return open;
                        })
                        .then()
                : Mono.empty();
    }
}
