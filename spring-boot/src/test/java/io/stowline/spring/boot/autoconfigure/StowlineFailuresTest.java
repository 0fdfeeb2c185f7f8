package io.stowline.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.stowline.Stowline;
import io.stowline.journal.Journal;
import io.stowline.spring.boot.FailureAnalyses;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.spring.boot.autoconfigure.StowlineBeansTest.Runner;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.NestedExceptionUtils;

/** The messages of an application that does not start. */
class StowlineFailuresTest {

    private static final String SECRET = "c2VjcmV0c2VjcmV0";

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(StowlineAutoConfiguration.class));

    @Test
    void aBeanThatNeedsAClientNamesTheProperties() {
        runner.withUserConfiguration(NeedsClient.class).run(context -> assertThat(
                        FailureAnalyses.first(context.getStartupFailure()))
                .satisfies(analysis -> {
                    assertThat(analysis.getDescription()).contains("no storage account is configured");
                    assertThat(analysis.getAction())
                            .contains("stowline.connection-string", "TokenCredential", "UseDevelopmentStorage=true");
                }));
    }

    @Test
    void aDeclaredTableNamesTheProperties() {
        runner.withUserConfiguration(NeedsTable.class).run(context -> assertThat(
                        FailureAnalyses.first(context.getStartupFailure()).getDescription())
                .contains("no storage account is configured"));
    }

    @Test
    void aFurtherAccountDoesNotServeWhatNeedsTheMainClient() {
        for (Class<?> needs : List.of(NeedsClient.class, NeedsTable.class)) {
            runner.withUserConfiguration(needs)
                    .withPropertyValues("stowline.accounts.archive.connection-string=UseDevelopmentStorage=true")
                    .run(context -> assertThat(FailureAnalyses.first(context.getStartupFailure())
                                    .getAction())
                            .contains("@Qualifier(\"<name>\")", "account(\"<name>\")"));
        }
    }

    @Test
    void anAccountNameAloneMayHaveATokenCredential() {
        runner.withPropertyValues("stowline.account-name=acct").run(context -> assertThat(
                        FailureAnalyses.first(context.getStartupFailure()).getAction())
                .contains("'stowline.account-name' beside a bean of type TokenCredential"));
    }

    @Test
    void aCredentialBesideAConnectionStringIsToBeRemoved() {
        runner.withPropertyValues(
                        "stowline.connection-string=AccountName=acct;AccountKey=" + SECRET,
                        "stowline.account-name=acct",
                        "stowline.account-key=" + SECRET)
                .run(context -> assertThat(FailureAnalyses.first(context.getStartupFailure())
                                .getAction())
                        .isEqualTo("Remove one of them."));
    }

    @Test
    void theFailureOfACustomizerIsItsOwn() {
        runner.withPropertyValues("stowline.connection-string=UseDevelopmentStorage=true")
                .withBean(StowlineBuilderCustomizer.class, () -> builder -> {
                    throw new IllegalArgumentException("of the customizer");
                })
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasRootCauseMessage("of the customizer")
                        .satisfies(failure ->
                                assertThat(FailureAnalyses.all(failure)).isEmpty()));
    }

    @Test
    void ownConnectionDetailsAreNamedInPlaceOfProperties() {
        runner.withBean(StowlineConnectionDetails.class, WrongDetails::new).run(context -> assertThat(
                        FailureAnalyses.first(context.getStartupFailure()).getDescription())
                .contains("WrongDetails")
                .doesNotContain("properties"));
    }

    private static final class WrongDetails implements StowlineConnectionDetails {

        @Override
        public String getConnectionString() {
            return "Wrong=1";
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        health.timeout=0s       | 'stowline.health.timeout' is 'PT0S'             | between 1 ms and 1 hour
        health.timeout=-5s      | 'stowline.health.timeout' is 'PT-5S'            | between 1 ms and 1 hour
        health.timeout=1ns      | 'stowline.health.timeout' is 'PT0.000000001S'   | between 1 ms and 1 hour
        writer.buffer-items=0   | 'stowline.writer.buffer-items' is '0'           | between 1 and
        writer.buffer-size=0    | 'stowline.writer.buffer-size' is '0 bytes'      | one entity group transaction
        writer.linger=-1s       | 'stowline.writer.linger' is 'PT-1S'             | linger must be
        journal.folder=         | 'stowline.journal.folder' is ''                 | must name a folder
        journal.folder=pom.xml  | pom.xml'                                        | it is not a folder
        """)
    void aPropertyOutOfRangeIsNamed(String property, String named, String limit) {
        runner.withConfiguration(AutoConfigurations.of(StowlineJournalAutoConfiguration.class))
                .withPropertyValues("stowline." + property)
                .run(context -> assertThat(FailureAnalyses.first(context.getStartupFailure())
                                .getDescription())
                        .contains(named, limit));
    }

    @Test
    void aJournalThatIsTooSmallOrInUseIsNamed(@TempDir Path folder) {
        ApplicationContextRunner withJournal = runner.withConfiguration(
                        AutoConfigurations.of(StowlineJournalAutoConfiguration.class))
                .withPropertyValues("stowline.journal.folder=" + folder);

        withJournal.withPropertyValues("stowline.journal.max-size=0").run(context -> assertThat(
                        FailureAnalyses.first(context.getStartupFailure()).getDescription())
                .contains("'stowline.journal.max-size' is '0 bytes'", "must be between 1048576 and"));
        try (Journal journal = Journal.open(folder)) {
            assertThat(journal.outstandingRecords()).isZero();
            withJournal.run(context -> assertThat(
                            FailureAnalyses.first(context.getStartupFailure()).getDescription())
                    .contains("'stowline.journal.folder' is '" + folder + "'", "in use"));
        }
    }

    @Test
    void aResourceThatCannotBeCreatedNamesAccountEndpointAndProperties() throws IOException {
        HttpServer refusing = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        refusing.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("x-ms-error-code", "AuthenticationFailed");
            exchange.sendResponseHeaders(403, -1);
            exchange.close();
        });
        refusing.start();
        String host = "127.0.0.1:" + refusing.getAddress().getPort();
        try {
            runner.withUserConfiguration(NeedsAccount.class)
                    .withPropertyValues(
                            "stowline.create-missing=true",
                            "stowline.connection-string=UseDevelopmentStorage=true",
                            "stowline.accounts.archive.account-name=oldacct",
                            "stowline.accounts.archive.account-key=" + SECRET,
                            "stowline.accounts.archive.queue.endpoint=http://" + host + "/oldacct")
                    .run(context -> {
                        FailureAnalysis analysis = FailureAnalyses.first(context.getStartupFailure());
                        assertThat(analysis.getDescription())
                                .contains("The queue 'orders' of account 'oldacct' (" + host)
                                .contains("properties under 'stowline.accounts.archive'")
                                .doesNotContain(SECRET);
                        assertThat(analysis.getAction())
                                .contains("credential under 'stowline.accounts.archive'", "stowline.create-missing");
                    });
        } finally {
            refusing.stop(0);
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aDeadlineThatIsShorterThanMeantIsNamed(CapturedOutput output) {
        runner.withPropertyValues(
                        "stowline.connection-string=UseDevelopmentStorage=true",
                        "stowline.retry.deadline=30",
                        "stowline.accounts.archive.connection-string=UseDevelopmentStorage=true",
                        "stowline.accounts.archive.retry.deadline=30s")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output)
                .contains("'stowline.retry.deadline' is PT0.03S")
                .doesNotContain("'stowline.accounts.archive.retry.deadline'");
    }

    @Test
    void aDeclarationThatDoesNotFitIsNamed() {
        ApplicationContextRunner connected =
                runner.withPropertyValues("stowline.connection-string=UseDevelopmentStorage=true");

        connected.withUserConfiguration(WrongType.class).run(context -> assertThat(
                        FailureAnalyses.first(context.getStartupFailure()).getDescription())
                .contains("The table 'keyless' that a StowlineBeans declares as bean 'keylessTable'", "Keyless"));
        connected.withUserConfiguration(WrongName.class).run(context -> assertThat(
                        FailureAnalyses.first(context.getStartupFailure()).getDescription())
                .contains("The queue 'Or_ders' that", "3 to 63 lower-case letters"));
    }

    @Configuration(proxyBeanMethods = false)
    @Import(WrongType.Storage.class)
    static class WrongType {

        record Keyless(String name) {}

        static class Storage extends StowlineBeans {
            @Override
            protected void declare() {
                table("keyless", Keyless.class);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(WrongName.Storage.class)
    static class WrongName {

        static class Storage extends StowlineBeans {
            @Override
            protected void declare() {
                queue("Or_ders");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"reactive", "stowline"})
    void aNameThatWouldTakeTheBeansOfAnotherClientIsRefused(String name) {
        runner.withPropertyValues("stowline.accounts." + name + ".connection-string=UseDevelopmentStorage=true")
                .run(context -> assertThat(FailureAnalyses.first(context.getStartupFailure())
                                .getDescription())
                        .contains("'stowline.accounts." + name + "'"));
    }

    @Test
    void anAccountThatIsNotConfiguredIsNamed() {
        runner.withUserConfiguration(NeedsAccount.class)
                .withPropertyValues("stowline.connection-string=UseDevelopmentStorage=true")
                .run(context -> {
                    assertThat(FailureAnalyses.first(context.getStartupFailure())
                                    .getAction())
                            .contains("stowline.accounts.archive");
                    // Spring Boot's analyzer of it would name a bean, and comes first.
                    assertThat(NestedExceptionUtils.getRootCause(context.getStartupFailure()))
                            .isInstanceOf(StowlineConfigurationException.class);
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        account-name=acct account-key=%s sas-token=sig=%s   | 'stowline.account-key' and 'stowline.sas-token' are set
        account-key=%s                                      | 'stowline.account-name'
        endpoint=https://acct.blob.core.windows.net         | no credential is given
        sas-token=sig=%s                                    | no account is given
        endpoint=https://acct.blob.core.windows.net sas-token=%s | 'stowline.sas-token' cannot be used
        endpoint=https://acct.blob.core.windows.net sas-token=sv=1&sig=%s# | no query of an address has
        connection-string=AccountName=acct;SharedAccessSignature=sv=%s | SharedAccessSignature is not a shared access signature
        connection-string=AccountName=acct;AccountKey=%s account-name=acct account-key=%s | 'stowline.account-key' is set, too
        connection-string=UseDevelopmentStorage=true sas-token=sv=1&sig=%s | 'stowline.sas-token' is set, too
        account-name=Acct_1 account-key=%s                  | 'stowline.account-name' is 'Acct_1'
        account-name=%s%s== account-key=%s                  | 'stowline.account-name' is no name of an account
        account-name=acct                                   | no credential is given
        connection-string=UseDevelopmentStorage=true retry.retries=-1 | under 'stowline.retry'
        connection-string=UseDevelopmentStorage=true parallelism.fixed=3 parallelism.max=4 | under 'stowline.parallelism'
        connection-string=UseDevelopmentStorage=true rate-targets.share=0.5 | under 'stowline.rate-targets'
        connection-string=UseDevelopmentStorage=true rate-targets.ramp-over=5m | 'ramp-over' is set without 'preset'
        connection-string=UseDevelopmentStorage=true rate-targets.preset=everywhere rate-targets.ramp-over=25h | 'stowline.rate-targets.ramp-over' must be PT1S to PT24H
        connection-string=UseDevelopmentStorage=true cache.disk.folder=x | under 'stowline.cache'
        connection-string=UseDevelopmentStorage=true quota.capacity=0 | under 'stowline.quota'
        connection-string=UseDevelopmentStorage=true application-id=a?b | under 'stowline'
        """)
    void settingsThatDoNotFitAreNamed(String properties, String expected) {
        runner.withPropertyValues(List.of(properties.replace("%s", SECRET).split(" ")).stream()
                        .map(property -> "stowline." + property)
                        .toArray(String[]::new))
                .run(context -> {
                    FailureAnalysis analysis = FailureAnalyses.first(context.getStartupFailure());
                    assertThat(analysis.getDescription()).contains(expected);
                    assertThat(analysis.getAction()).isNotBlank();
                    assertThat(analysis.getDescription() + analysis.getAction()).doesNotContain(SECRET);
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class NeedsClient {

        @Bean
        String name(Stowline stowline) {
            return stowline.accountName();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(NeedsTable.Storage.class)
    static class NeedsTable {

        static class Storage extends StowlineBeans {
            @Override
            protected void declare() {
                table("registrations", Runner.class);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(NeedsAccount.Storage.class)
    static class NeedsAccount {

        static class Storage extends StowlineBeans {
            @Override
            protected void declare() {
                account("archive").queue("orders", String.class);
            }
        }
    }
}
