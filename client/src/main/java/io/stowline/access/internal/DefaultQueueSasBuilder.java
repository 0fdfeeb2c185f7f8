package io.stowline.access.internal;

import io.stowline.access.QueueSasBuilder;
import io.stowline.access.SharedAccessSignature;
import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A builder for one queue. */
public final class DefaultQueueSasBuilder<R> extends DefaultSasBuilder<QueueSasBuilder<R>, R>
        implements QueueSasBuilder<R> {

    private final String queue;

    /** Begins a signature for a queue. */
    public DefaultQueueSasBuilder(SasSigner signer, String queue, Function<Mono<SharedAccessSignature>, R> result) {
        super(signer, "raup", result);
        this.queue = queue;
    }

    @Override
    QueueSasBuilder<R> self() {
        return this;
    }

    @Override
    Mono<SharedAccessSignature> sign(SasSigner signer, Map<String, String> complete, @Nullable Instant end) {
        String resource = "/queue/" + signer.accountName() + "/" + queue;
        return signer.sign(URI.create(signer.endpoint() + "/" + queue), new SasFields(resource, "", complete), end);
    }

    @Override
    public QueueSasBuilder<R> canPeek() {
        return permit('r');
    }

    @Override
    public QueueSasBuilder<R> canSend() {
        return permit('a');
    }

    @Override
    public QueueSasBuilder<R> canUpdate() {
        return permit('u');
    }

    @Override
    public QueueSasBuilder<R> canReceive() {
        return permit('p');
    }

    @Override
    public QueueSasBuilder<R> byPolicy(String policy) {
        return policy(policy);
    }
}
