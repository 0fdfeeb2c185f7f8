package io.stowline.blob.internal.gzip;

import io.stowline.blob.BlobHeaders;
import io.stowline.blob.UploadSettings;
import io.stowline.transport.internal.outcome.OriginalContent;

/** The settings of an upload whose content is compressed. Stateless. */
public final class CompressedSettings {

    private CompressedSettings() {}

    /** Returns whether an upload compresses: content with a Content-Encoding is encoded already. */
    public static boolean areWanted(UploadSettings settings) {
        return settings.gzip() && settings.headers().contentEncoding() == null;
    }

    /** Returns the settings for compressed content, whose headers and metadata describe it. */
    public static UploadSettings of(UploadSettings settings, OriginalContent original) {
        BlobHeaders headers =
                settings.headers().toBuilder().contentEncoding("gzip").build();
        return with(settings.toBuilder().headers(present -> headers.toBuilder()).build(), original);
    }

    /** Adds the facts of the content before its compression. Not by the builder, which refuses their name. */
    public static UploadSettings with(UploadSettings settings, OriginalContent original) {
        return new UploadSettings(
                settings.overwrite(),
                settings.ifMatch(),
                settings.headers(),
                original.in(settings.metadata()),
                settings.tags(),
                settings.tier(),
                settings.ifTags(),
                settings.blockSize(),
                settings.parallelism(),
                settings.gzip(),
                settings.progress());
    }
}
