package io.stowline.spring.boot.test;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.outcome.WriteOutcome;
import io.stowline.spring.boot.test.MarathonApplication.Runner;
import io.stowline.table.Table;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.StorageService;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.FilterType;

@StowlineTest(
        faultProxy = true,
        properties = "stowline.retry.backoff=interactive",
        includeFilters = @ComponentScan.Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Registrations.class))
class FaultProxySliceTest {

    @Autowired
    FaultProxy proxy;

    @Autowired
    Azurite azurite;

    @Autowired
    Registrations registrations;

    @Autowired
    Table<Runner> runners;

    @Test
    void aLostResponseIsRecovered() {
        proxy.when(requests().service(StorageService.TABLE).method("POST").nth(1))
                .loseResponse();

        assertThat(runners.insert(new Runner("2026", UUID.randomUUID().toString(), "Ann"))
                        .outcome())
                .isEqualTo(WriteOutcome.RECOVERED);
    }

    @RepeatedTest(2)
    void recordingsAreClearedBeforeEachTest() {
        assertThat(proxy.recorded()).isEmpty();

        registrations.register(new Runner("2026", UUID.randomUUID().toString(), "Bob"));

        assertThat(proxy.recorded()).hasSize(1);
    }

    @Test
    void theSlicesShareOneEmulator() {
        assertThat(azurite).isSameAs(SharedEmulator.azurite());
    }

    @Test
    void anAccountOfTheEnvironmentGoesBeforeTheEmulator() {
        assertThat(SharedEmulator.external(Map.of("STOWLINE_TEST_CONNECTION_STRING", "AccountName=acct")))
                .isEqualTo("AccountName=acct");
        assertThat(SharedEmulator.external(Map.of("STOWLINE_TEST_CONNECTION_STRING", " ")))
                .isNull();
    }
}
