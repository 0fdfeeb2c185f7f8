package io.stowline.blob.internal.upload;

import io.stowline.blob.internal.base.BlockingTask;
import io.stowline.blob.internal.upload.ByteSource.FileSource;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import reactor.core.publisher.Mono;

/** A block that lies in a file, which each attempt reads once more (decision 108). Its MD5 is that of the first reading, which the digest of the whole has, too. */
final class FileBlock extends UploadBlock {

    /** The memory that it holds while it is read or sent. */
    static final int BUFFERED_BYTES = FileBody.MAX_BUFFERED_BYTES;

    private final FileSource source;
    private final long position;
    private final byte[] md5;

    /**
     * A block that was read.
     *
     * @param position where it begins in the file
     */
    FileBlock(int index, FileSource source, long position, int size, byte[] md5) {
        super(index, List.of(), size, BUFFERED_BYTES);
        this.source = source;
        this.position = position;
        this.md5 = md5;
    }

    @Override
    boolean undigested() {
        return false;
    }

    @Override
    void digest(MessageDigest digest) {
        throw new IllegalStateException("the digest of the whole has this block");
    }

    @Override
    byte[] md5() {
        return md5;
    }

    @Override
    RequestBody body() {
        return new FileBody(source, position, size(), BlockingTask::run);
    }

    @Override
    Mono<Void> unchanged() {
        return BlockingTask.call(() -> Arrays.equals(md5, source.hash(position, size(), null)))
                .filter(same -> !same)
                .flatMap(changed -> Mono.error(source.failure(modified())))
                .onErrorMap(IOException.class, source::failure)
                .then();
    }

    private IOException modified() {
        return new IOException("the bytes " + position + " to " + (position + size() - 1) + " of " + source.path()
                + " were modified during the upload");
    }
}
