package io.stowline.service.internal;

import io.stowline.outcome.WriteResult;
import io.stowline.service.AnalyticsLogging;
import io.stowline.service.AnalyticsMetrics;
import io.stowline.service.ReactiveServiceProperties;
import io.stowline.service.ServiceInfo;
import io.stowline.service.ServiceProperties;
import io.stowline.service.ServiceType;
import io.stowline.service.SoftDelete;
import io.stowline.service.StaticWebsite;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.util.Objects;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** {@link ServiceProperties} that wait for the operations of their reactive face. */
public final class DefaultServiceProperties implements ServiceProperties {

    private final ServicePropertyOperations operations;
    private final ReactiveServiceProperties reactive;

    /**
     * Stands on the operations of a service.
     *
     * @param operations the operations
     * @param reactive the reactive face of the same operations
     */
    public DefaultServiceProperties(ServicePropertyOperations operations, ReactiveServiceProperties reactive) {
        this.operations = operations;
        this.reactive = reactive;
    }

    @Override
    public ReactiveServiceProperties reactive() {
        return reactive;
    }

    @Override
    public ServiceType service() {
        return operations.service();
    }

    @Override
    public ServiceInfo info() {
        return BlockingAwait.result(operations.read("serviceInfo"));
    }

    private WriteResult awaited(Supplier<PropertyChange> change) {
        return BlockingAwait.result(Mono.defer(() -> operations.set(change.get())));
    }

    @Override
    public WriteResult setSoftDelete(SoftDelete softDelete) {
        Objects.requireNonNull(softDelete, "softDelete");
        return awaited(() -> PropertyChange.softDelete(service(), softDelete));
    }

    @Override
    public WriteResult setStaticWebsite(StaticWebsite website) {
        Objects.requireNonNull(website, "website");
        return awaited(() -> PropertyChange.staticWebsite(service(), website));
    }

    @Override
    public WriteResult setDefaultVersion(String version) {
        Objects.requireNonNull(version, "version");
        return awaited(() -> PropertyChange.defaultVersion(service(), version));
    }

    @Override
    public WriteResult setLogging(AnalyticsLogging logging) {
        Objects.requireNonNull(logging, "logging");
        return awaited(() -> PropertyChange.logging(logging));
    }

    @Override
    public WriteResult setHourMetrics(AnalyticsMetrics metrics) {
        Objects.requireNonNull(metrics, "metrics");
        return awaited(() -> PropertyChange.hourMetrics(metrics));
    }

    @Override
    public WriteResult setMinuteMetrics(AnalyticsMetrics metrics) {
        Objects.requireNonNull(metrics, "metrics");
        return awaited(() -> PropertyChange.minuteMetrics(metrics));
    }

    @Override
    public String toString() {
        return "ServiceProperties[" + service() + "]";
    }
}
