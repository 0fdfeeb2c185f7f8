package io.stowline.access.internal;

import io.stowline.access.BlobServiceSasBuilder;
import io.stowline.access.SharedAccessSignature;
import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The settings that signatures for a blob and for a container share. */
abstract class DefaultBlobServiceSasBuilder<B extends BlobServiceSasBuilder<B, R>, R> extends DefaultSasBuilder<B, R>
        implements BlobServiceSasBuilder<B, R> {

    /** The order of the page "Create a service SAS", of the letters that this library has a name for. */
    private static final String ORDER = "racwdxyltfi";

    private final SignedBlob blob;

    DefaultBlobServiceSasBuilder(SasSigner signer, SignedBlob blob, Function<Mono<SharedAccessSignature>, R> result) {
        super(signer, ORDER, result);
        this.blob = blob;
    }

    /**
     * The resource of a signature.
     *
     * @param uri its address
     * @param path container and blob, not encoded
     * @param kind the letter or letters of its kind: {@code c}, {@code b}, {@code bs} or {@code bv}
     * @param snapshot the snapshot or version, or an empty text
     */
    record SignedBlob(URI uri, String path, String kind, String snapshot) {}

    @Override
    Mono<SharedAccessSignature> sign(SasSigner signer, Map<String, String> complete, @Nullable Instant end) {
        String resource = "/blob/" + signer.accountName() + "/" + blob.path.replace('\\', '/');
        return signer.sign(blob.uri, new SasFields(resource, blob.snapshot, complete).with("sr", blob.kind), end);
    }

    @Override
    public B canRead() {
        return permit('r');
    }

    @Override
    public B canAppend() {
        return permit('a');
    }

    @Override
    public B canCreate() {
        return permit('c');
    }

    @Override
    public B canWrite() {
        return permit('w');
    }

    @Override
    public B canDelete() {
        return permit('d');
    }

    @Override
    public B canDeleteVersions() {
        return permit('x');
    }

    @Override
    public B canTag() {
        return permit('t');
    }

    @Override
    public B canSetImmutability() {
        return permit('i');
    }

    @Override
    public B byPolicy(String policy) {
        return policy(policy);
    }

    @Override
    public B servedWithCacheControl(String cacheControl) {
        return set("rscc", cacheControl);
    }

    @Override
    public B servedWithContentDisposition(String contentDisposition) {
        return set("rscd", contentDisposition);
    }

    @Override
    public B servedWithContentEncoding(String contentEncoding) {
        return set("rsce", contentEncoding);
    }

    @Override
    public B servedWithContentLanguage(String contentLanguage) {
        return set("rscl", contentLanguage);
    }

    @Override
    public B servedWithContentType(String contentType) {
        return set("rsct", contentType);
    }

    @Override
    public B encryptedBy(String scope) {
        return encryptionScope(scope);
    }
}
