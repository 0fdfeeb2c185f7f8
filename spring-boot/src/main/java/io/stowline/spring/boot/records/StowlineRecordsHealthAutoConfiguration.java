package io.stowline.spring.boot.records;

import io.stowline.records.RecordWriter;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/**
 * An auto-configuration that makes the health contributor {@code stowlineRecords} of the writers of records that are beans. {@code
 * management.health.stowline-records.enabled} switches it off.
 */
@AutoConfiguration(after = StowlineRecordsAutoConfiguration.class)
@ConditionalOnClass({RecordWriter.class, HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(RecordWriter.class)
@ConditionalOnEnabledHealthIndicator("stowline-records")
public final class StowlineRecordsHealthAutoConfiguration {

    /** Made by Spring. */
    StowlineRecordsHealthAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = {"stowlineRecordsHealthContributor", "stowlineRecordsHealthIndicator"})
    HealthContributor stowlineRecordsHealthContributor(ListableBeanFactory beans) {
        return new StowlineRecordsHealthIndicator(RecordWriterBeans.in(beans));
    }
}
