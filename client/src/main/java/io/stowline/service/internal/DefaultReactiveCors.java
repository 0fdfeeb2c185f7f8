package io.stowline.service.internal;

import io.stowline.outcome.WriteResult;
import io.stowline.service.CorsRule;
import io.stowline.service.ReactiveCors;
import io.stowline.service.ServiceInfo;
import io.stowline.service.ServiceType;
import io.stowline.transport.internal.concurrent.Callbacks;
import java.util.List;
import java.util.Objects;
import reactor.core.publisher.Mono;

/** {@link ReactiveCors} over the operations on a service's properties. */
public final class DefaultReactiveCors implements ReactiveCors {

    private final ServicePropertyOperations operations;
    private final Callbacks callbacks;

    /**
     * Stands on the operations of a service.
     *
     * @param operations the operations
     * @param callbacks the callbacks that deliver the results
     */
    public DefaultReactiveCors(ServicePropertyOperations operations, Callbacks callbacks) {
        this.operations = operations;
        this.callbacks = callbacks;
    }

    @Override
    public ServiceType service() {
        return operations.service();
    }

    @Override
    public Mono<List<CorsRule>> rules() {
        return callbacks.deliver(reading());
    }

    Mono<List<CorsRule>> reading() {
        return operations.read("corsRules").map(ServiceInfo::corsRules);
    }

    @Override
    public Mono<WriteResult> set(List<CorsRule> rules) {
        return callbacks.deliver(setting(rules));
    }

    Mono<WriteResult> setting(List<CorsRule> rules) {
        List<CorsRule> requested = List.copyOf(Objects.requireNonNull(rules, "rules"));
        return Mono.defer(() -> operations.set(PropertyChange.cors(requested)));
    }

    @Override
    public String toString() {
        return "ReactiveCors[" + service() + "]";
    }
}
