package io.stowline.spring.boot.records;

import io.stowline.records.RecordWriterSettings;

/**
 * A customizer of the writers of records that properties declare, which has the last word before one is opened:
 *
 * <pre>{@code
 * @Configuration(proxyBeanMethods = false)
 * class RecordsConfiguration {
 *     @Bean
 *     RecordWriterCustomizer reportFailures(MeterRegistry meters) {
 *         return (name, settings) -> settings.onFailure(
 *                 failed -> meters.counter("records.failed", "writer", name).increment(failed.records()));
 *     }
 * }
 * }</pre>
 */
@FunctionalInterface
public interface RecordWriterCustomizer {

    /**
     * Changes the settings of a writer.
     *
     * @param name the name below {@code stowline.records}
     * @param settings the settings, with the properties applied
     */
    void customize(String name, RecordWriterSettings.Builder settings);
}
