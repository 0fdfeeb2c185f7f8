package io.stowline.spring.boot.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.Stowline;
import io.stowline.spring.boot.FailureAnalyses;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.cache.StowlineCacheAutoConfiguration;
import io.stowline.spring.boot.json.StowlineJsonAutoConfiguration;
import io.stowline.spring.boot.lock.StowlineLockAutoConfiguration;
import io.stowline.spring.boot.resource.StowlineResourceAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import tools.jackson.databind.json.JsonMapper;

class AccountClientsTest {

    private final ApplicationContextRunner furtherOnly = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    StowlineAutoConfiguration.class,
                    StowlineJsonAutoConfiguration.class,
                    StowlineCacheAutoConfiguration.class,
                    StowlineLockAutoConfiguration.class,
                    StowlineResourceAutoConfiguration.class))
            .withBean(JsonMapper.class, JsonMapper::shared)
            .withPropertyValues("stowline.accounts.archive.connection-string=UseDevelopmentStorage=true");

    private final ApplicationContextRunner both =
            furtherOnly.withPropertyValues("stowline.connection-string=UseDevelopmentStorage=true");

    @Test
    void anAccountThatIsNotNamedIsTheDefaultOne() {
        both.run(context -> {
            AccountClients clients = context.getBean(AccountClients.class);
            Stowline main = context.getBean("stowline", Stowline.class);
            Stowline archive = context.getBean("archiveStowline", Stowline.class);

            assertThat(clients.client("'x.account'", null)).isSameAs(main);
            assertThat(clients.client("'x.account'", "stowline")).isSameAs(main);
            assertThat(clients.named("'x.account'", "stowline")).isSameAs(main);
            assertThat(clients.client("'x.account'", "archive")).isSameAs(archive);
            assertThat(clients.hasFurther("archive")).isTrue();
            assertThat(clients.hasFurther("vault")).isFalse();
        });
    }

    @ParameterizedTest
    @CsvSource({"true, vault, '[archive, stowline]'", "false, vault, [archive]", "false, stowline, [archive]"})
    void aMissingAccountIsNamedBesideThoseThatAreThere(boolean main, String account, String known) {
        (main ? both : furtherOnly).run(context -> assertThatThrownBy(
                        () -> context.getBean(AccountClients.class).named("'x.account'", account))
                .isInstanceOf(StowlineConfigurationException.class)
                .hasMessage("'x.account' names the account '" + account
                        + "', which is not configured; the accounts are " + known + "."));
    }

    /** A bean by its type alone would be the client of the only further account. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "stowline.locks.container=locks",
                "stowline.shedlock.table=tasks",
                "stowline.metadata.table=texts",
                "stowline.spring-cache.table=caches"
            })
    void aFurtherAccountDoesNotTakeThePlaceOfADefaultOneThatIsMissing(String property) {
        furtherOnly.withPropertyValues(property).run(context -> assertThat(
                        FailureAnalyses.first(context.getStartupFailure()).getDescription())
                .contains("no storage account is configured"));
    }

    @Test
    void aResourceOfTheDefaultAccountIsNotReadFromAFurtherOne() {
        furtherOnly.run(context -> assertThatThrownBy(
                        () -> context.getResource("azure-blob://photos/a.jpg").exists())
                .isInstanceOf(NoSuchBeanDefinitionException.class));
    }
}
