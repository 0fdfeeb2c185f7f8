package io.stowline.testkit;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.testkit.FaultProxy.TrafficStats;
import io.stowline.testkit.RecordedExchange.Ending;
import java.io.IOException;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A proxy in front of the real emulator: signed requests come through, and faults are what they say. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FaultProxyAzuriteTest {

    @RegisterExtension
    static final FaultProxyExtension PROXY = FaultProxyExtension.fresh().with(builder -> builder.seed(42));

    @Test
    void passesSignedRequestsThrough(FaultProxy proxy) throws Exception {
        RawTables tables = tables(proxy);

        assertThat(tables.create("signed")).isEqualTo(201);
        assertThat(tables.list()).contains("\"signed\"");

        assertThat(proxy.recorded(
                        requests().service(StorageService.TABLE).method("POST").path("/*/Tables")))
                .singleElement()
                .satisfies(exchange -> {
                    assertThat(exchange.response()).hasValueSatisfying(response -> assertThat(response.status())
                            .isEqualTo(201));
                    assertThat(exchange.request().text()).isEqualTo("{\"TableName\":\"signed\"}");
                });
        assertThat(proxy.traffic(StorageService.TABLE).responses()).isEqualTo(2);
        assertThat(proxy.traffic(StorageService.QUEUE)).isEqualTo(TrafficStats.NONE);
    }

    @Test
    void standsInFrontOfAllThreeServices(FaultProxy proxy) throws Exception {
        for (StorageService service : StorageService.values()) {
            assertThat(Http.get(proxy.endpoint(service), "?comp=list").headers().firstValue("Server"))
                    .hasValueSatisfying(
                            server -> assertThat(server).startsWithIgnoringCase("Azurite-" + service.name() + "/"));
        }

        assertThat(proxy.recorded())
                .extracting(exchange -> exchange.request().service())
                .containsExactly(StorageService.values());
        assertThat(proxy.storage().connectionString())
                .contains("BlobEndpoint=" + proxy.endpoint(StorageService.BLOB) + ";")
                .contains("QueueEndpoint=" + proxy.endpoint(StorageService.QUEUE) + ";")
                .contains("TableEndpoint=" + proxy.endpoint(StorageService.TABLE) + ";");
        assertThat(PROXY.storage().azurite()).isPresent();
    }

    @Test
    void losesTheResponseOfWhatWasApplied(FaultProxy proxy) throws Exception {
        RawTables tables = tables(proxy);
        FaultRule lost =
                proxy.when(requests().method("POST").path("**/Tables").nth(1)).loseResponse();

        assertThatThrownBy(() -> tables.create("lost")).isInstanceOf(IOException.class);

        assertThat(lost.hits()).isEqualTo(1);
        assertThat(tables.create("lost")).as("it is there already").isEqualTo(409);
        assertThat(proxy.recorded(requests().method("POST")))
                .extracting(RecordedExchange::ending)
                .containsExactly(Ending.LOST, Ending.RESPONDED);
    }

    @Test
    void followsAnEmulatorThatIsRestarted(FaultProxy proxy) throws Exception {
        RawTables tables = tables(proxy);
        URI before = proxy.endpoint(StorageService.TABLE);
        tables.create("gone");

        PROXY.storage().azurite().orElseThrow().restart();

        assertThat(tables.list()).contains("\"value\":[]");
        assertThat(proxy.endpoint(StorageService.TABLE)).isEqualTo(before);
    }

    private static RawTables tables(FaultProxy proxy) {
        return new RawTables(proxy.endpoint(StorageService.TABLE), Azurite.WELL_KNOWN_ACCOUNT, Azurite.WELL_KNOWN_KEY);
    }
}
