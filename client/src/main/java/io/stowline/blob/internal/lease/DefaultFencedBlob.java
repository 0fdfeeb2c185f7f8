package io.stowline.blob.internal.lease;

import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.FencedBlob;
import io.stowline.blob.UploadSettings;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** {@link FencedBlob} that waits for its {@link FencedWrites}. */
record DefaultFencedBlob(FencedWrites writes) implements FencedBlob {

    @Override
    public String name() {
        return writes.name();
    }

    @Override
    public BlobWriteResult upload(byte[] content, UnaryOperator<UploadSettings.Builder> settings) {
        return BlockingAwait.result(writes.upload(
                Objects.requireNonNull(content, "content"), Objects.requireNonNull(settings, "settings")));
    }
}
