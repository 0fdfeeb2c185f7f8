package io.stowline.access.internal;

import io.stowline.access.ContainerSasBuilder;
import io.stowline.access.SharedAccessSignature;
import java.net.URI;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** A builder for all blobs of a container. */
public final class DefaultContainerSasBuilder<R> extends DefaultBlobServiceSasBuilder<ContainerSasBuilder<R>, R>
        implements ContainerSasBuilder<R> {

    /** Begins a signature for a container. */
    public DefaultContainerSasBuilder(
            SasSigner signer, String container, URI uri, Function<Mono<SharedAccessSignature>, R> result) {
        super(signer, new SignedBlob(uri, container, "c", ""), result);
    }

    @Override
    ContainerSasBuilder<R> self() {
        return this;
    }

    @Override
    public ContainerSasBuilder<R> canList() {
        return permit('l');
    }

    @Override
    public ContainerSasBuilder<R> canFindByTags() {
        return permit('f');
    }
}
