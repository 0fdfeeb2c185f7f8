package io.stowline.spring.boot.records;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.stowline.records.RecordWriter;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** An auto-configuration that makes the meters {@code stowline.records} of the writers of records that are beans. Spring Boot registers them. */
@AutoConfiguration(after = StowlineRecordsAutoConfiguration.class)
@ConditionalOnClass({RecordWriter.class, MeterBinder.class})
@ConditionalOnBean(RecordWriter.class)
public final class StowlineRecordMetersAutoConfiguration {

    /** Made by Spring. */
    StowlineRecordMetersAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    RecordMeters stowlineRecordMeters(ListableBeanFactory beans) {
        return new RecordMeters(beans);
    }
}
