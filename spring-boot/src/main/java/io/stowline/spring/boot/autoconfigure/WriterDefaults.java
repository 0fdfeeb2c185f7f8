package io.stowline.spring.boot.autoconfigure;

import io.stowline.table.WriterSettings;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.util.unit.DataSize;

/**
 * The settings of writers that stand under {@code stowline.writer}. The application passes this bean where it makes a writer, and may go on
 * from there:
 *
 * <pre>{@code
 * class WriterConfiguration {
 *     @Bean
 *     TableWriter<Runner> runnerWriter(Table<Runner> runners, WriterDefaults defaults) {
 *         return runners.writer(defaults);
 *     }
 * }
 * }</pre>
 *
 * <p>A property that is not set leaves the writer's default in force. Immutable and thread-safe.
 */
public final class WriterDefaults implements UnaryOperator<WriterSettings.Builder> {

    private final StowlineProperties.Writer properties;

    /**
     * Makes the defaults.
     *
     * @param properties the properties under {@code stowline.writer}
     */
    public WriterDefaults(StowlineProperties.Writer properties) {
        this.properties = Objects.requireNonNull(properties, "properties");
    }

    /**
     * Applies the properties that are set.
     *
     * @param settings the settings of a writer
     * @return the same settings
     * @throws IllegalArgumentException naming a setting that is out of range
     */
    @Override
    public WriterSettings.Builder apply(WriterSettings.Builder settings) {
        PropertyMapper map = PropertyMapper.get();
        map.from(properties::linger).to(settings::linger);
        map.from(properties::bufferItems).to(settings::bufferItems);
        map.from(properties::bufferSize).as(DataSize::toBytes).to(settings::bufferBytes);
        map.from(properties::submitTimeout).to(settings::submitTimeout);
        map.from(properties::deliveryTimeout).to(settings::deliveryTimeout);
        map.from(properties::giveUpAfter).to(settings::giveUpAfter);
        map.from(properties::closeTimeout).to(settings::closeTimeout);
        map.from(properties::coalesce).to(settings::coalesce);
        map.from(properties::stopEntityOnFailure).to(settings::stopEntityOnFailure);
        map.from(properties::warnAtExit).to(settings::warnAtExit);
        return settings;
    }
}
