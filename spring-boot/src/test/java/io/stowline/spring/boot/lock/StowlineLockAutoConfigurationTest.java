package io.stowline.spring.boot.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.spring.boot.AccountsInMemory;
import io.stowline.spring.boot.FailureAnalyses;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.ResolvableType;
import org.springframework.integration.metadata.ConcurrentMetadataStore;
import org.springframework.integration.metadata.MetadataStore;
import org.springframework.integration.metadata.SimpleMetadataStore;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

@ExtendWith(OutputCaptureExtension.class)
class StowlineLockAutoConfigurationTest {

    private final AccountsInMemory accounts = new AccountsInMemory();
    private final ApplicationContextRunner plain = accounts.runner(StowlineLockAutoConfiguration.class);
    private final ApplicationContextRunner runner = plain.withPropertyValues(
            "stowline.create-missing=true",
            "stowline.locks.container=locks",
            "stowline.shedlock.table=state",
            "stowline.metadata.table=state");

    private static LockConfiguration forAMinute() {
        return new LockConfiguration(ClockProvider.now(), "nightly", Duration.ofMinutes(1), Duration.ZERO);
    }

    @Test
    void thereIsNothingWithoutAProperty() {
        plain.run(context -> assertThat(context)
                .doesNotHaveBean(LockRegistry.class)
                .doesNotHaveBean(LockProvider.class)
                .doesNotHaveBean(MetadataStore.class));
    }

    @Test
    void locksAndStateAreInTheMissingContainerAndTableThatTheStartCreates() {
        runner.run(context -> {
            FencedLock lock = context.getBean(BlobLeaseLockRegistry.class).obtain("report");
            lock.lock();
            assertThat(context.getBean(Stowline.class).container("locks").exists("report"))
                    .isTrue();
            lock.unlock();
            assertThat(context.getBean(LockProvider.class).lock(forAMinute())).isPresent();
            ConcurrentMetadataStore store = context.getBean(ConcurrentMetadataStore.class);
            assertThat(store.putIfAbsent("a", "1")).isNull();
            assertThat(context.getBean("metadataStore")).isSameAs(store);
            assertThat(context.getBeanNamesForType(
                            ResolvableType.forClassWithGenerics(LockRegistry.class, FencedLock.class)))
                    .hasSize(1);
        });
        assertThat(accounts.archive.requests()).isEmpty();
    }

    @Test
    void eachIsInTheAccountThatItsPropertyNames() {
        runner.withPropertyValues(
                        "stowline.locks.account=archive",
                        "stowline.shedlock.account=archive",
                        "stowline.metadata.account=archive")
                .run(context -> {
                    context.getBean(BlobLeaseLockRegistry.class)
                            .obtain("report")
                            .lock();
                    assertThat(context.getBean(LockProvider.class).lock(forAMinute()))
                            .isPresent();
                    context.getBean(MetadataStore.class).put("a", "1");
                    Stowline archive = context.getBean("archiveStowline", Stowline.class);
                    assertThat(archive.container("locks").exists("report")).isTrue();
                    assertThat(archive.table("state").query().list()).hasSize(2);
                });
        assertThat(accounts.main.requests()).isEmpty();
    }

    @Test
    void aFurtherAccountHasARegistryBesides() {
        runner.run(context -> {
            BlobContainer container =
                    context.getBean("archiveStowline", Stowline.class).container("locks");
            container.create();
            BlobLeaseLockRegistry further = new BlobLeaseLockRegistry(container);
            assertThat(context.getBean(BlobLeaseLockRegistry.class)
                            .obtain("report")
                            .tryLock())
                    .isTrue();
            assertThat(further.obtain("report").tryLock())
                    .as("a lock of another account")
                    .isTrue();
        });
    }

    /** A component that has its storage injected by type. */
    static final class ByType {

        private final ObjectProvider<BlobContainer> containers;
        private final ObjectProvider<Table<Entity>> tables;

        ByType(ObjectProvider<BlobContainer> containers, ObjectProvider<Table<Entity>> tables) {
            this.containers = containers;
            this.tables = tables;
        }
    }

    @Test
    void theContainerAndTheTablesAreNoCandidatesForInjection() {
        runner.withBean(ByType.class).run(context -> {
            ByType component = context.getBean(ByType.class);
            assertThat(component.containers.getIfAvailable()).isNull();
            assertThat(component.tables.getIfAvailable()).isNull();
        });
    }

    @Test
    void beansOfTheApplicationTakeTheirPlace() {
        runner.withBean(DefaultLockRegistry.class, DefaultLockRegistry::new)
                .withBean(SimpleMetadataStore.class, SimpleMetadataStore::new)
                .withBean(LockProvider.class, () -> configuration -> Optional.empty())
                .run(context -> assertThat(context)
                        .hasSingleBean(LockRegistry.class)
                        .hasSingleBean(MetadataStore.class)
                        .hasSingleBean(LockProvider.class)
                        .doesNotHaveBean(BlobLeaseLockRegistry.class)
                        .doesNotHaveBean(TableLockProvider.class));
    }

    @Test
    void springIntegrationMayBeAbsentAndIsNamedWhereAPropertyNeedsIt(CapturedOutput output) {
        FilteredClassLoader without = new FilteredClassLoader(LockRegistry.class, MetadataStore.class);
        plain.withClassLoader(without).run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("no effect");
        runner.withClassLoader(without)
                .run(context ->
                        assertThat(context).hasSingleBean(LockProvider.class).doesNotHaveBean("stowlineLockRegistry"));

        assertThat(output)
                .contains("'stowline.locks.container' has no effect:"
                        + " org.springframework.integration:spring-integration-core")
                .contains("'stowline.metadata.table' has no effect")
                .doesNotContain("'stowline.shedlock.table'");
    }

    @Test
    void shedLockMayBeAbsentAndIsNamedWhereAPropertyNeedsIt(CapturedOutput output) {
        FilteredClassLoader without = new FilteredClassLoader(LockProvider.class);
        plain.withClassLoader(without).run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("no effect");
        runner.withClassLoader(without).run(context -> assertThat(context)
                .hasSingleBean(LockRegistry.class)
                .hasSingleBean(MetadataStore.class)
                .doesNotHaveBean("stowlineLockProvider"));

        assertThat(output)
                .contains("'stowline.shedlock.table' has no effect: net.javacrumbs.shedlock:shedlock-spring")
                .doesNotContain("'stowline.locks.container'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "stowline.locks.lease | PT5S | 15000 ms to 60000 ms",
                "stowline.locks.poll-every | PT0.001S | 100 ms to 60000 ms",
                "stowline.locks.container | Not_A_Container | Not_A_Container",
                "stowline.shedlock.table | no-table | no-table",
                "stowline.metadata.table | no-table | no-table",
                "stowline.locks.account | elsewhere | the accounts are [archive, stowline]",
                "stowline.shedlock.account | elsewhere | under 'stowline.accounts.elsewhere'",
                "stowline.metadata.account | elsewhere | under 'stowline.accounts.elsewhere'"
            })
    void aWrongPropertyIsNamedWithItsValueAndTheReason(String property, String value, String reason) {
        runner.withPropertyValues(property + "=" + value).run(context -> {
            FailureAnalysis analysis = FailureAnalyses.first(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("'" + property + "'", value);
            assertThat(analysis.getDescription() + analysis.getAction()).contains(reason);
        });
    }
}
