package io.stowline.spring.doors.scanned;

import static io.stowline.spring.boot.test.StowlineTest.StorageMode.MEMORY;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.spring.boot.autoconfigure.DeclaredResources;
import io.stowline.spring.boot.test.StowlineTest;
import io.stowline.spring.doors.scanned.ScannedApplication.Runner;
import io.stowline.table.Table;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;

/** The slices of an application whose {@code StowlineBeans} are imported by a configuration that a scan finds. */
class ScannedSlicesTest {

    @Nested
    @StowlineTest(storage = MEMORY, properties = "stowline.accounts.archive.account-name=archive")
    class Storage {

        @Test
        @DisplayName("the slice of the storage has the typed beans of both accounts, and no component")
        void typedBeans(
                @Autowired Table<Runner> runners,
                @Autowired @Qualifier("archiveRunners") Table<Runner> archived,
                @Autowired ApplicationContext context) {
            runners.insert(new Runner("2026", "1", "Ann"));

            assertThat(archived.find("2026", "1")).isEmpty();
            assertThat(context.getBeansOfType(Registrations.class)).isEmpty();
        }
    }

    @Nested
    @StowlineTest(storage = MEMORY, properties = "stowline.accounts.archive.account-name=archive")
    @Import(StorageConfiguration.Main.class)
    class ImportedByTheTest {

        @Test
        @DisplayName("a registrar that the test imports, too, is there once")
        void once(@Autowired Table<Runner> runners) {
            assertThat(runners.find("2026", "none")).isEmpty();
        }
    }

    @Nested
    @WebMvcTest
    class Web {

        @Test
        @DisplayName("the slice of the web has none of them")
        void none(@Autowired ApplicationContext context) {
            assertThat(context.getBeansOfType(DeclaredResources.class)).isEmpty();
        }
    }
}
