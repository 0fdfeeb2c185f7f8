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
import org.springframework.util.unit.DataSize;

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
        return open("stowline.journal", properties.journal());
    }

    /**
     * Opens the journal that properties describe.
     *
     * @param prefix the prefix of the properties, such as {@code stowline.journal}
     * @param properties the properties, whose folder is set
     * @return the journal, to be closed after the client of its writer
     * @throws io.stowline.spring.boot.account.StowlineConfigurationException naming the property that is refused
     */
    public static Journal open(String prefix, StowlineProperties.Journal properties) {
        Path folder = properties.folder();
        if (folder == null || folder.toString().isEmpty()) {
            throw new PropertyValue<>(prefix + ".folder", "").refused("it must name a folder");
        }
        JournalSettings.Builder settings = JournalSettings.builder();
        Boolean fsync = properties.fsync();
        if (fsync != null) {
            settings.fsync(fsync);
        }
        DataSize maxSize = properties.maxSize();
        if (maxSize != null) {
            new PropertyValue<>(prefix + ".max-size", maxSize).into(size -> settings.maxBytes(size.toBytes()));
        }
        try {
            return Journal.open(folder, settings.build());
        } catch (JournalException e) {
            throw new PropertyValue<>(prefix + ".folder", folder).refused(e.getMessage(), e);
        }
    }
}
