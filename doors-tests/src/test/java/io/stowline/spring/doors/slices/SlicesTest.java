package io.stowline.spring.doors.slices;

import static io.stowline.spring.boot.test.StowlineTest.StorageMode.MEMORY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.when;

import io.stowline.Stowline;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.lock.BlobLeaseLockRegistry;
import io.stowline.spring.boot.test.MemoryDevServices;
import io.stowline.spring.boot.test.StowlineTest;
import io.stowline.spring.doors.slices.SlicedApplication.Runner;
import io.stowline.spring.doors.slices.SlicedApplication.Runners;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.cache.CacheManager;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.integration.metadata.ConcurrentMetadataStore;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

/** The slices of an application whose main class imports its {@code StowlineBeans}. */
class SlicesTest {

    @Nested
    @WebMvcTest
    class Web {

        @Autowired
        MockMvcTester mvc;

        @MockitoBean
        Table<Runner> runners;

        @MockitoBean
        @Qualifier("archiveRunners")
        Table<Runner> archived;

        @Autowired
        ApplicationContext context;

        @Test
        @DisplayName("a controller over mocks of both accounts")
        void mocks() {
            when(runners.find("2026", "1")).thenReturn(Optional.empty());
            when(archived.find("2026", "1"))
                    .thenReturn(Optional.of(StoredEntity.of(new Runner("2026", "1", "Ann"), "\"1\"")));

            assertThat(mvc.get().uri("/runners/2026/1"))
                    .hasStatus(404)
                    .bodyJson()
                    .extractingPath("$.type")
                    .isEqualTo("/problems/not-found");
            assertThat(mvc.get().uri("/archive/2026/1"))
                    .hasStatusOk()
                    .bodyText()
                    .contains("Ann");
        }

        @Test
        @DisplayName("the use of a typed bean that no mock replaces names the ways out")
        void others() {
            assertThatThrownBy(() -> context.getBean(Runners.class))
                    .rootCause()
                    .isInstanceOf(StowlineConfigurationException.class)
                    .hasMessageContaining("'registrations'")
                    .hasMessageContaining("@WebMvcTest")
                    .satisfies(e -> assertThat(((StowlineConfigurationException) e).action())
                            .contains("@MockitoBean", "StowlineAutoConfiguration"));
        }
    }

    @Nested
    @WebMvcTest(properties = {"stowline.create-missing=true", "stowline.accounts.archive.account-name=archive"})
    @ImportAutoConfiguration(StowlineAutoConfiguration.class)
    @Import(MemoryDevServices.class)
    class WebInMemory {

        @Autowired
        MockMvcTester mvc;

        @Autowired
        @Qualifier("archiveRunners")
        Table<Runner> archived;

        @Test
        @DisplayName("a controller over accounts in memory")
        void accounts() {
            archived.insert(new Runner("2026", "1", "Ann"));

            assertThat(mvc.get().uri("/archive/2026/1"))
                    .hasStatusOk()
                    .bodyText()
                    .contains("Ann");
            assertThat(mvc.get().uri("/runners/2026/1")).hasStatus(404);
        }
    }

    @Nested
    @JsonTest
    class Json {

        @Test
        void starts(@Autowired ApplicationContext context) {
            assertThat(context.getBeansOfType(Stowline.class)).isEmpty();
            assertThat(context.containsBean("runnersTable")).isTrue();
        }
    }

    /** The form of every slice: the main class of the application without the auto-configurations of others. */
    @Nested
    @SpringBootTest(classes = SlicedApplication.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
    @OverrideAutoConfiguration(enabled = false)
    class OfAnotherLibrary {

        @Test
        void starts(@Autowired ApplicationContext context) {
            assertThat(context.getBeansOfType(Stowline.class)).isEmpty();
        }
    }

    @Nested
    @StowlineTest(
            storage = MEMORY,
            properties = {
                "stowline.accounts.archive.account-name=archive",
                "stowline.locks.container=locks",
                "stowline.shedlock.table=state",
                "stowline.shedlock.account=archive",
                "stowline.metadata.table=state",
                "stowline.spring-cache.table=cache",
                "stowline.spring-cache.caches.names.type=java.lang.String",
                "spring.config.import=azure-blob:config/application.yml"
            })
    class Storage {

        @Autowired
        MemoryStorage memory;

        @Autowired
        @Qualifier("archive")
        MemoryStorage archiveMemory;

        @Autowired
        Table<Runner> runners;

        @Test
        @DisplayName("locks, state, caches and repositories of the properties, in both accounts")
        void doors(
                @Autowired BlobLeaseLockRegistry locks,
                @Autowired LockProvider tasks,
                @Autowired ConcurrentMetadataStore state,
                @Autowired CacheManager caches,
                @Autowired Runners registrations) {
            assertThat(locks.obtain("export").tryLock()).isTrue();
            locks.obtain("export").unlock();
            assertThat(tasks.lock(
                            new LockConfiguration(Instant.now(), "cleaning", Duration.ofMinutes(1), Duration.ZERO)))
                    .isPresent();
            assertThat(state.putIfAbsent("seen", "1")).isNull();
            caches.getCache("names").put("1", "Ann");
            assertThat(registrations.insert(new Runner("2026", "1", "Ann")).etag())
                    .isNotNull();
            assertThat(runners.find("2026", "1")).isEmpty();
            assertThat(archiveMemory.requests()).anyMatch(request -> request.contains("state"));
        }

        @Test
        @DisplayName("a type alone finds the main account, for an injection and for a lookup")
        void mainAccount(@Autowired ApplicationContext context) {
            assertThat(context.getBean(MemoryStorage.class)).isSameAs(memory).isNotSameAs(archiveMemory);
            assertThat(context.getBeanProvider(MemoryStorage.class).getObject()).isSameAs(memory);
        }
    }
}
