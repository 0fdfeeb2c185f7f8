package io.stowline.spring.boot.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.spring.boot.AccountsInMemory;
import io.stowline.spring.boot.FailureAnalyses;
import io.stowline.spring.boot.autoconfigure.StowlineBeans;
import io.stowline.spring.boot.repository.MemoryRunners.Runner;
import io.stowline.table.Table;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Repositories as beans, of two accounts. */
class RepositoryBeansTest {

    interface Runners extends TableRepository<Runner> {
        List<Runner> findByRaceAndAge(String race, int age);

        Optional<Runner> findByRaceAndBib(String race, String bib);
    }

    interface ReactiveRunners extends ReactiveTableRepository<Runner> {}

    interface Scanning extends TableRepository<Runner> {
        List<Runner> findByName(String name);
    }

    private final AccountsInMemory accounts = new AccountsInMemory();

    private final ApplicationContextRunner runner =
            accounts.runner().withPropertyValues("stowline.create-missing=true");

    @Configuration(proxyBeanMethods = false)
    @Import(Application.Storage.class)
    static class Application {

        static class Storage extends StowlineBeans {
            @Override
            protected void declare() {
                repository("registrations", Runners.class, runners -> runners.index(MemoryRunners.AGE));
                repository("registrations", ReactiveRunners.class, runners -> runners.index(MemoryRunners.AGE));
                account("archive").repository("olds", Runners.class, runners -> runners.index(MemoryRunners.AGE));
            }
        }

        record Doors(Runners main, Runners archive, ReactiveRunners reactive) {}

        @Bean
        Doors doors(Runners main, @Qualifier("archiveRunners") Runners archive, ReactiveRunners reactive) {
            return new Doors(main, archive, reactive);
        }
    }

    @Test
    void eachAccountHasItsRepository() {
        runner.withUserConfiguration(Application.class).run(context -> {
            Application.Doors doors = context.getBean(Application.Doors.class);
            doors.main().insert(MemoryRunners.ANN);
            doors.archive().insert(MemoryRunners.BEA);
            doors.reactive().insert(MemoryRunners.CAT).block();

            assertThat(doors.main().findByRaceAndAge("full", 41)).containsExactly(MemoryRunners.ANN, MemoryRunners.CAT);
            assertThat(doors.archive().findByRaceAndBib("full", "0002")).contains(MemoryRunners.BEA);
            assertThat(doors.archive().findByRaceAndAge("full", 41)).isEmpty();
            assertThat(accounts.archive.requests()).noneMatch(request -> request.contains("registrations"));
            assertThat(context).hasBean("runners").hasBean("archiveRunners").hasBean("reactiveRunners");
            assertThat(context).doesNotHaveBean("reactiveArchiveRunners");
        });
    }

    @Test
    void aScanFailsTheStartWithAnAnalysis() {
        runner.withUserConfiguration(ScanningApplication.class).run(context -> {
            var analysis = FailureAnalyses.first(context.getStartupFailure());
            assertThat(analysis.getDescription())
                    .isEqualTo("Scanning.findByName cannot be derived: it would read the whole table (query class"
                            + " table-scan): 'name' is neither a key of Runner nor declared as an index; keys and"
                            + " indexes are race, partitionKey, bib, rowKey.");
            assertThat(analysis.getAction()).contains("Declare an index");
        });
    }

    @Configuration(proxyBeanMethods = false)
    @Import(ScanningApplication.Storage.class)
    static class ScanningApplication {

        static class Storage extends StowlineBeans {
            @Override
            protected void declare() {
                repository("registrations", Scanning.class);
            }
        }
    }

    @Test
    void aMethodOfTheApplicationMakesOne() {
        runner.withUserConfiguration(FactoryApplication.class).run(context -> {
            context.getBean("registrationsTable", Table.class).createIfMissing();
            assertThat(context.getBean(Runners.class).findByRaceAndAge("full", 41))
                    .isEmpty();
        });
    }

    @Configuration(proxyBeanMethods = false)
    @Import(FactoryApplication.Storage.class)
    static class FactoryApplication {

        static class Storage extends StowlineBeans {
            @Override
            protected void declare() {
                table("registrations", Runner.class);
            }
        }

        @Bean
        Runners runners(Table<Runner> table) {
            return TableRepositoryFactory.of(table).index(MemoryRunners.AGE).create(Runners.class);
        }
    }
}
