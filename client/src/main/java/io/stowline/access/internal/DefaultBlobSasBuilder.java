package io.stowline.access.internal;

import io.stowline.access.BlobSasBuilder;
import io.stowline.access.SharedAccessSignature;
import java.net.URI;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** A builder for one blob, snapshot or version. */
public final class DefaultBlobSasBuilder<R> extends DefaultBlobServiceSasBuilder<BlobSasBuilder<R>, R>
        implements BlobSasBuilder<R> {

    private DefaultBlobSasBuilder(SasSigner signer, SignedBlob blob, Function<Mono<SharedAccessSignature>, R> result) {
        super(signer, blob, result);
    }

    /**
     * Begins a signature for a blob.
     *
     * @param path its container and its name, not encoded
     */
    public static <R> BlobSasBuilder<R> of(
            SasSigner signer, String path, URI uri, Function<Mono<SharedAccessSignature>, R> result) {
        return new DefaultBlobSasBuilder<>(signer, new SignedBlob(uri, path, "b", ""), result);
    }

    /** Begins a signature for a snapshot, whose address names it. */
    public static <R> BlobSasBuilder<R> ofSnapshot(
            SasSigner signer, String path, String id, URI uri, Function<Mono<SharedAccessSignature>, R> result) {
        return new DefaultBlobSasBuilder<>(signer, new SignedBlob(uri, path, "bs", id), result);
    }

    /** Begins a signature for a version, whose address names it. */
    public static <R> BlobSasBuilder<R> ofVersion(
            SasSigner signer, String path, String id, URI uri, Function<Mono<SharedAccessSignature>, R> result) {
        return new DefaultBlobSasBuilder<>(signer, new SignedBlob(uri, path, "bv", id), result);
    }

    @Override
    BlobSasBuilder<R> self() {
        return this;
    }

    @Override
    public BlobSasBuilder<R> canDeletePermanently() {
        return permit('y');
    }
}
