package io.stowline.spring.boot.records;

import io.stowline.Stowline;
import io.stowline.records.RecordWriter;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.json.StowlineJsonAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * An auto-configuration that makes a {@link RecordWriter} for each name under {@code stowline.records}, if {@code stowline-records} is on the
 * class path. Writers are closed before the clients, and their journals after them.
 */
@AutoConfiguration(after = {StowlineAutoConfiguration.class, StowlineJsonAutoConfiguration.class})
@ConditionalOnClass({Stowline.class, RecordWriter.class})
@Import(StowlineRecordsRegistrar.class)
@ImportRuntimeHints(StowlineRecordsAutoConfiguration.PropertiesHints.class)
public final class StowlineRecordsAutoConfiguration {

    /** Made by Spring. */
    StowlineRecordsAutoConfiguration() {}

    /** The hints for the properties, which the registrar binds. */
    static final class PropertiesHints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
            BindableRuntimeHintsRegistrar.forTypes(RecordWriterProperties.class).registerHints(hints);
        }
    }
}
