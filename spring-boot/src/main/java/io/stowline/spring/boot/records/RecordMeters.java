package io.stowline.spring.boot.records;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.stowline.records.RecordMetrics;
import org.springframework.beans.factory.ListableBeanFactory;

/** The meters of the writers of records that are beans. Thread-safe. */
final class RecordMeters implements MeterBinder {

    private final ListableBeanFactory beans;

    RecordMeters(ListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        RecordWriterBeans.in(beans)
                .forEach((name, writer) -> RecordMetrics.of(writer, name).bindTo(registry));
    }
}
