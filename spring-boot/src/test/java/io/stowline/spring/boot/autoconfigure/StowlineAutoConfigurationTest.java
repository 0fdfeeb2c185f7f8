package io.stowline.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import com.azure.core.credential.TokenCredential;
import io.stowline.ReactiveStowline;
import io.stowline.Stowline;
import io.stowline.journal.Journal;
import io.stowline.observe.StowlineListener;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

class StowlineAutoConfigurationTest {

    private static final String KEY = "a2V5";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(StowlineAutoConfiguration.class, StowlineJournalAutoConfiguration.class));

    @Test
    void makesNoClientWithoutAnAccount() {
        runner.run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(Stowline.class)
                .doesNotHaveBean(ReactiveStowline.class)
                .doesNotHaveBean(StowlineConnectionDetails.class));
    }

    @Test
    void backsOffWithoutTheClientOnTheClassPath() {
        runner.withClassLoader(new FilteredClassLoader(Stowline.class))
                .withPropertyValues("stowline.connection-string=UseDevelopmentStorage=true")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("stowline"));
    }

    @Test
    void usesTheEmulatorWhenTheConnectionStringNamesIt() {
        runner.withPropertyValues("stowline.connection-string=UseDevelopmentStorage=true")
                .run(context -> {
                    assertThat(context).hasSingleBean(Stowline.class).hasSingleBean(ReactiveStowline.class);
                    assertThat(context.getBean(Stowline.class).accountName()).isEqualTo("devstoreaccount1");
                });
    }

    @Test
    void takesAnAccountAndItsKey() {
        runner.withPropertyValues("stowline.account-name=acct", "stowline.account-key=" + KEY)
                .run(context -> assertThat(context.getBean(Stowline.class).endpoints())
                        .containsEntry("table", URI.create("https://acct.table.core.windows.net"))
                        .containsEntry("queue", URI.create("https://acct.queue.core.windows.net"))
                        .containsEntry("blob", URI.create("https://acct.blob.core.windows.net")));
    }

    @Test
    void takesASignatureAndTheEndpointsOfSomeServices() {
        runner.withPropertyValues(
                        "stowline.account-name=acct",
                        "stowline.sas-token=sv=2024-11-04&ss=t&srt=sco&sp=r&sig=c2ln",
                        "stowline.table.endpoint=https://tables.corp.example")
                .run(context -> assertThat(context.getBean(Stowline.class).endpoints())
                        .containsOnlyKeys("table")
                        .containsEntry("table", URI.create("https://tables.corp.example")));
    }

    @Test
    void takesATokenCredentialOfTheApplication() {
        runner.withPropertyValues("stowline.endpoint=https://acct.blob.core.windows.net")
                .withBean(TokenCredential.class, () -> mock(TokenCredential.class))
                .run(context -> assertThat(context.getBean(Stowline.class).accountName())
                        .isEqualTo("acct"));
    }

    @Test
    void aKeyGoesBeforeATokenCredential() {
        runner.withPropertyValues(
                        "stowline.table.endpoint=http://127.0.0.1:10002/acct",
                        "stowline.account-name=acct",
                        "stowline.account-key=" + KEY)
                .withBean(TokenCredential.class, () -> mock(TokenCredential.class))
                .run(context -> assertThat(context).hasSingleBean(Stowline.class));
    }

    @Test
    void connectionDetailsOfTheApplicationReplaceProperties() {
        runner.withPropertyValues("stowline.account-name=acct", "stowline.account-key=" + KEY)
                .withBean(StowlineConnectionDetails.class, () -> new StowlineConnectionDetails() {
                    @Override
                    public String getConnectionString() {
                        return "UseDevelopmentStorage=true";
                    }
                })
                .run(context -> {
                    assertThat(context).doesNotHaveBean(PropertiesStowlineConnectionDetails.class);
                    assertThat(context.getBean(Stowline.class).accountName()).isEqualTo("devstoreaccount1");
                });
    }

    @Test
    void aClientOfTheApplicationReplacesTheDefaultOne() {
        runner.withPropertyValues("stowline.account-name=acct", "stowline.account-key=" + KEY)
                .withBean("own", Stowline.class, () -> Stowline.connect("UseDevelopmentStorage=true"))
                .run(context -> {
                    assertThat(context).hasSingleBean(Stowline.class).hasSingleBean(ReactiveStowline.class);
                    assertThat(context.getBean(Stowline.class).accountName()).isEqualTo("devstoreaccount1");
                });
    }

    @Test
    void furtherAccountsAreQualifiedByTheirNames() {
        runner.withUserConfiguration(TwoAccounts.class)
                .withPropertyValues(
                        "stowline.account-name=acct",
                        "stowline.account-key=" + KEY,
                        "stowline.accounts.archive.account-name=old",
                        "stowline.accounts.archive.account-key=" + KEY)
                .run(context -> assertThat(context.getBean(TwoAccounts.Names.class))
                        .isEqualTo(new TwoAccounts.Names("acct", "old", 2)));
    }

    @Test
    void aFurtherAccountNeedsNoDefaultOne() {
        runner.withPropertyValues(
                        "stowline.accounts.archive.account-name=old", "stowline.accounts.archive.account-key=" + KEY)
                .run(context ->
                        assertThat(context).hasSingleBean(Stowline.class).hasBean("archiveStowline"));
    }

    @Test
    void aTypeAloneFindsNoClientOfAFurtherAccount() {
        for (Class<?> needs : List.of(NeedsMain.class, NeedsReactiveMain.class)) {
            runner.withUserConfiguration(needs)
                    .withPropertyValues("stowline.accounts.archive.connection-string=UseDevelopmentStorage=true")
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .isInstanceOf(NoSuchBeanDefinitionException.class)
                            .isNotInstanceOf(NoUniqueBeanDefinitionException.class));
        }
    }

    @Test
    @DisplayName("a lookup by type finds the main client, also where it is a fallback beside one further account")
    void aLookupByTypeFindsTheMainClient() {
        for (boolean fallback : List.of(true, false)) {
            runner.withBean(
                            "own",
                            Stowline.class,
                            () -> Stowline.connect("UseDevelopmentStorage=true"),
                            definition -> definition.setFallback(fallback))
                    .withPropertyValues(
                            "stowline.accounts.archive.account-name=old",
                            "stowline.accounts.archive.account-key=" + KEY)
                    .run(context -> {
                        assertThat(context.getBean(Stowline.class).accountName())
                                .isEqualTo("devstoreaccount1");
                        assertThat(context.getBean(ReactiveStowline.class).accountName())
                                .isEqualTo("devstoreaccount1");
                    });
        }
    }

    @Test
    void aClientOfTheApplicationIsTheMainOneBesideFurtherAccounts() {
        runner.withUserConfiguration(TwoAccounts.class)
                .withBean("own", Stowline.class, () -> Stowline.connect("UseDevelopmentStorage=true"))
                .withPropertyValues(
                        "stowline.accounts.archive.account-name=old", "stowline.accounts.archive.account-key=" + KEY)
                .run(context -> assertThat(context.getBean(TwoAccounts.Names.class))
                        .isEqualTo(new TwoAccounts.Names("devstoreaccount1", "old", 2)));
    }

    @Test
    void aCredentialThatNamesAnAccountIsForThatAccount() {
        runner.withUserConfiguration(TwoCredentials.class)
                .withPropertyValues("stowline.accounts.archive.endpoint=https://old.blob.core.windows.net")
                .run(context -> assertThat(context).hasNotFailed());
        runner.withUserConfiguration(TwoCredentials.class)
                .withPropertyValues("stowline.accounts.other.endpoint=https://old.blob.core.windows.net")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(NoUniqueBeanDefinitionException.class));
    }

    @Test
    void customizersComeLastAndInOrder() {
        List<String> calls = new ArrayList<>();
        runner.withPropertyValues(
                        "stowline.connection-string=UseDevelopmentStorage=true",
                        "stowline.accounts.archive.connection-string=UseDevelopmentStorage=true")
                .withBean("second", StowlineBuilderCustomizer.class, () -> new Second(calls))
                .withBean("first", StowlineBuilderCustomizer.class, () -> new First(calls))
                .run(context -> {
                    context.getBean("stowline");
                    assertThat(calls).containsExactlyInAnyOrder("first", "second", "second");
                    assertThat(calls.indexOf("first")).isLessThan(calls.lastIndexOf("second"));
                });
    }

    @Test
    void listenersOfTheApplicationHearOfServices() {
        List<String> opened = new ArrayList<>();
        runner.withPropertyValues("stowline.connection-string=UseDevelopmentStorage=true")
                .withBean("one", StowlineListener.class, () -> listener("one", opened))
                .withBean("two", StowlineListener.class, () -> listener("two", opened))
                .run(context -> {
                    context.getBean(Stowline.class).queue("orders");
                    assertThat(opened).containsExactlyInAnyOrder("one queue", "two queue");
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoListeners {

        private final List<String> opened = new ArrayList<>();

        @Bean
        @Order(2)
        StowlineListener second() {
            return listener("second", opened);
        }

        @Bean
        @Order(1)
        StowlineListener first() {
            return listener("first", opened);
        }

        @Bean
        StowlineBuilderCustomizer ofArchive() {
            return new StowlineBuilderCustomizer() {
                @Override
                public void customize(Stowline.Builder builder) {
                    // no setting differs
                }

                @Override
                public Optional<StowlineListener> listener(String account) {
                    return account.equals("archive")
                            ? Optional.of(StowlineAutoConfigurationTest.listener("customizer", opened))
                            : Optional.empty();
                }
            };
        }
    }

    @Test
    @DisplayName(
            "each bean of type StowlineListener listens to each account, in their order, before the listener of a customizer")
    void listenersOfTheApplicationHaveAnOrder() {
        runner.withPropertyValues(
                        "stowline.connection-string=UseDevelopmentStorage=true",
                        "stowline.accounts.archive.connection-string=UseDevelopmentStorage=true")
                .withUserConfiguration(TwoListeners.class)
                .run(context -> {
                    List<String> opened = context.getBean(TwoListeners.class).opened;
                    context.getBean("stowline", Stowline.class).queue("orders");
                    assertThat(opened).containsExactly("first queue", "second queue");
                    opened.clear();
                    context.getBean("archiveStowline", Stowline.class).container("photos");
                    assertThat(opened).containsExactly("first blob", "second blob", "customizer blob");
                });
    }

    private static StowlineListener listener(String name, List<String> opened) {
        return new StowlineListener() {
            @Override
            public void onServiceOpened(io.stowline.observe.ServiceState state) {
                opened.add(name + " " + state.service());
            }
        };
    }

    @Test
    void aJournalIsMadeWhenItsFolderIsSet(@TempDir Path folder) {
        runner.withPropertyValues(
                        "stowline.journal.folder=" + folder.resolve("journal"),
                        "stowline.journal.fsync=true",
                        "stowline.journal.max-size=2MB")
                .run(context -> {
                    Journal journal = context.getBean(Journal.class);
                    assertThat(journal.settings().fsync()).isTrue();
                    assertThat(journal.settings().maxBytes()).isEqualTo(2 * 1024 * 1024);
                });
    }

    @Test
    void noJournalIsMadeWithoutItsFolderOrItsLibrary(@TempDir Path folder) {
        runner.run(context -> assertThat(context).doesNotHaveBean(Journal.class));
        runner.withClassLoader(new FilteredClassLoader(Journal.class))
                .withPropertyValues(
                        "stowline.journal.folder=" + folder, "stowline.connection-string=UseDevelopmentStorage=true")
                .run(context ->
                        assertThat(context).hasSingleBean(Stowline.class).doesNotHaveBean("stowlineJournal"));
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoAccounts {

        record Names(String main, String archive, int reactive) {}

        @Bean
        Names names(
                Stowline main,
                @Qualifier("archive") Stowline archive,
                ReactiveStowline reactive,
                @Qualifier("archive") ReactiveStowline reactiveOfArchive) {
            return new Names(main.accountName(), archive.accountName(), reactive == reactiveOfArchive ? 1 : 2);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NeedsMain {

        @Bean
        String name(Stowline archiveStowline) {
            return archiveStowline.accountName();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NeedsReactiveMain {

        @Bean
        String name(ReactiveStowline client) {
            return client.getClass().getSimpleName();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoCredentials {

        @Bean
        TokenCredential usual() {
            return mock(TokenCredential.class);
        }

        @Bean
        @Qualifier("archive")
        TokenCredential special() {
            return mock(TokenCredential.class);
        }
    }

    @Order(1)
    private record First(List<String> calls) implements StowlineBuilderCustomizer {

        @Override
        public void customize(Stowline.Builder builder) {
            calls.add("first");
        }

        @Override
        public boolean supports(String account) {
            return account.equals("stowline");
        }
    }

    @Order(2)
    private record Second(List<String> calls) implements StowlineBuilderCustomizer {

        @Override
        public void customize(Stowline.Builder builder) {
            calls.add("second");
        }
    }
}
