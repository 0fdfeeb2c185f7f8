package io.stowline.service.internal;

import io.stowline.outcome.WriteResult;
import io.stowline.service.AnalyticsLogging;
import io.stowline.service.AnalyticsMetrics;
import io.stowline.service.ReactiveServiceProperties;
import io.stowline.service.ServiceInfo;
import io.stowline.service.ServiceType;
import io.stowline.service.SoftDelete;
import io.stowline.service.StaticWebsite;
import io.stowline.transport.internal.concurrent.Callbacks;
import java.util.Objects;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** {@link ReactiveServiceProperties} over the operations on a service's properties. */
public final class DefaultReactiveServiceProperties implements ReactiveServiceProperties {

    private final ServicePropertyOperations operations;
    private final Callbacks callbacks;

    /**
     * Stands on the operations of a service.
     *
     * @param operations the operations
     * @param callbacks the callbacks that deliver the results
     */
    public DefaultReactiveServiceProperties(ServicePropertyOperations operations, Callbacks callbacks) {
        this.operations = operations;
        this.callbacks = callbacks;
    }

    @Override
    public ServiceType service() {
        return operations.service();
    }

    @Override
    public Mono<ServiceInfo> info() {
        return callbacks.deliver(operations.read("serviceInfo"));
    }

    private Mono<WriteResult> delivered(Supplier<PropertyChange> change) {
        return callbacks.deliver(Mono.defer(() -> operations.set(change.get())));
    }

    @Override
    public Mono<WriteResult> setSoftDelete(SoftDelete softDelete) {
        Objects.requireNonNull(softDelete, "softDelete");
        return delivered(() -> PropertyChange.softDelete(service(), softDelete));
    }

    @Override
    public Mono<WriteResult> setStaticWebsite(StaticWebsite website) {
        Objects.requireNonNull(website, "website");
        return delivered(() -> PropertyChange.staticWebsite(service(), website));
    }

    @Override
    public Mono<WriteResult> setDefaultVersion(String version) {
        Objects.requireNonNull(version, "version");
        return delivered(() -> PropertyChange.defaultVersion(service(), version));
    }

    @Override
    public Mono<WriteResult> setLogging(AnalyticsLogging logging) {
        Objects.requireNonNull(logging, "logging");
        return delivered(() -> PropertyChange.logging(logging));
    }

    @Override
    public Mono<WriteResult> setHourMetrics(AnalyticsMetrics metrics) {
        Objects.requireNonNull(metrics, "metrics");
        return delivered(() -> PropertyChange.hourMetrics(metrics));
    }

    @Override
    public Mono<WriteResult> setMinuteMetrics(AnalyticsMetrics metrics) {
        Objects.requireNonNull(metrics, "metrics");
        return delivered(() -> PropertyChange.minuteMetrics(metrics));
    }

    @Override
    public String toString() {
        return "ReactiveServiceProperties[" + service() + "]";
    }
}
