package io.stowline.service.internal;

import io.stowline.outcome.WriteResult;
import io.stowline.service.Cors;
import io.stowline.service.CorsRule;
import io.stowline.service.ReactiveCors;
import io.stowline.service.ServiceType;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.util.List;

/** {@link Cors} that waits for its reactive face. */
public final class DefaultCors implements Cors {

    private final DefaultReactiveCors reactive;

    /**
     * Stands on the reactive face.
     *
     * @param reactive the face whose operations are awaited
     */
    public DefaultCors(DefaultReactiveCors reactive) {
        this.reactive = reactive;
    }

    @Override
    public ReactiveCors reactive() {
        return reactive;
    }

    @Override
    public ServiceType service() {
        return reactive.service();
    }

    @Override
    public List<CorsRule> rules() {
        return BlockingAwait.result(reactive.reading());
    }

    @Override
    public WriteResult set(List<CorsRule> rules) {
        return BlockingAwait.result(reactive.setting(rules));
    }

    @Override
    public String toString() {
        return "Cors[" + service() + "]";
    }
}
