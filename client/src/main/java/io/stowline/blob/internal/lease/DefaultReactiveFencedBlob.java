package io.stowline.blob.internal.lease;

import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.ReactiveFencedBlob;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobContext;
import java.util.Objects;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/** {@link ReactiveFencedBlob} that delivers the results of its {@link FencedWrites}. */
record DefaultReactiveFencedBlob(BlobContext context, FencedWrites writes) implements ReactiveFencedBlob {

    @Override
    public String name() {
        return writes.name();
    }

    @Override
    public Mono<BlobWriteResult> upload(byte[] content, UnaryOperator<UploadSettings.Builder> settings) {
        return context.delivered(writes.upload(
                Objects.requireNonNull(content, "content"), Objects.requireNonNull(settings, "settings")));
    }
}
