package io.stowline.blob;

import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/** A {@link FencedBlob} with methods that do not block. Each runs when it is subscribed to. Thread-safe. */
public interface ReactiveFencedBlob {

    /**
     * Returns the blob's name.
     *
     * @return the name
     */
    String name();

    /**
     * Replaces the content of the blob; see {@link FencedBlob#upload(byte[])}.
     *
     * @param content the content
     * @return what was written
     */
    default Mono<BlobWriteResult> upload(byte[] content) {
        return upload(content, with -> with);
    }

    /**
     * Replaces the content of the blob; see {@link FencedBlob#upload(byte[], UnaryOperator)}.
     *
     * @param content the content
     * @param settings changes the default settings
     * @return what was written
     */
    Mono<BlobWriteResult> upload(byte[] content, UnaryOperator<UploadSettings.Builder> settings);
}
