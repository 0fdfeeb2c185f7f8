package io.stowline.table.internal.client;

import io.stowline.outcome.WriteMarkers;
import io.stowline.projection.filter.FilterProperty;
import io.stowline.retry.RetrySettings;
import io.stowline.table.ScanPolicy;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.table.internal.operation.TableHolder;
import io.stowline.transport.ReadFrom;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** Views of a table under the face {@code V}: its name and properties, and the same table with other settings. */
abstract class TableView<T, V> implements TableHolder<T> {

    final TableContext<T> context;

    TableView(TableContext<T> context) {
        this.context = context;
    }

    /** Makes the view of another context. */
    abstract V of(TableContext<T> other);

    @Override
    public TableContext<T> member() {
        return context;
    }

    public String name() {
        return context.operations().table();
    }

    public FilterProperty property(String name) {
        Objects.requireNonNull(name, "name");
        return context.codec().property(name);
    }

    public V withMarkers(WriteMarkers markers) {
        return of(context.with(markers));
    }

    public V withHeader(String name, String value) {
        return of(context.header(name, value));
    }

    public V withRetry(UnaryOperator<RetrySettings.Builder> settings) {
        Objects.requireNonNull(settings, "settings");
        return of(context.with(
                settings.apply(context.operations().retry().toBuilder()).build()));
    }

    public V withReadPreference(ReadFrom source) {
        return of(context.with(source));
    }

    public V withScanPolicy(ScanPolicy policy) {
        return of(context.with(Objects.requireNonNull(policy, "policy")));
    }
}
