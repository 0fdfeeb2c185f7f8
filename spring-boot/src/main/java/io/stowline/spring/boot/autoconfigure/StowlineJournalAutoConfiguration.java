package io.stowline.spring.boot.autoconfigure;

import io.stowline.journal.Journal;
import io.stowline.journal.JournalException;
import io.stowline.journal.JournalSettings;
import io.stowline.spring.boot.account.PropertyValue;
import java.nio.file.Path;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** An auto-configuration that opens the {@link Journal} of a writer if {@code stowline.journal.folder} is set. It is closed after the clients. */
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
        Path folder = properties.journal().folder();
        if (folder == null || folder.toString().isEmpty()) {
            throw new PropertyValue<>("stowline.journal.folder", "").refused("it must name a folder");
        }
        JournalSettings.Builder settings = JournalSettings.builder();
        Boolean fsync = properties.journal().fsync();
        if (fsync != null) {
            settings.fsync(fsync);
        }
        PropertyCheck.check(
                "journal.max-size", properties.journal().maxSize(), size -> settings.maxBytes(size.toBytes()));
        try {
            return Journal.open(folder, settings.build());
        } catch (JournalException e) {
            throw new PropertyValue<>("stowline.journal.folder", folder).refused(e.getMessage(), e);
        }
    }
}
