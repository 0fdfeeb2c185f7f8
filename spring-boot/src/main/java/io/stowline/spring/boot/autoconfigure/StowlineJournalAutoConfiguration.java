package io.stowline.spring.boot.autoconfigure;

import io.stowline.journal.Journal;
import io.stowline.journal.JournalSettings;
import io.stowline.journal.JournalSettings.Durability;
import java.nio.file.Path;
import java.util.Objects;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.context.annotation.Bean;
import org.springframework.util.unit.DataSize;

/** Opens the {@link Journal} of a writer if {@code stowline.journal.folder} is set. It is closed after the clients. */
@AutoConfiguration(before = StowlineAutoConfiguration.class)
@ConditionalOnClass(Journal.class)
@ConditionalOnProperty("stowline.journal.folder")
@EnableConfigurationProperties(StowlineProperties.class)
public final class StowlineJournalAutoConfiguration {

    /** Made by Spring. */
    StowlineJournalAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    Journal stowlineJournal(StowlineProperties properties) {
        Path folder = Objects.requireNonNull(properties.journal().folder(), "stowline.journal.folder");
        JournalSettings.Builder settings = JournalSettings.builder();
        PropertyMapper map = PropertyMapper.get();
        map.from(properties.journal()::durability)
                .as(durability -> Durability.valueOf(durability.name()))
                .to(settings::durability);
        map.from(properties.journal()::maxSize).as(DataSize::toBytes).to(settings::maxBytes);
        return Journal.open(folder, settings.build());
    }
}
