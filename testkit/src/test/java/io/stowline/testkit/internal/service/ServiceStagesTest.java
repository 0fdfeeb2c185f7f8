package io.stowline.testkit.internal.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.strict.StrictProbe;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ServiceStagesTest {

    private static final String DATE_BY_THE_CLIENT = "Sat, 21 Nov 2026 10:00:00 GMT";
    private static final StrictProbe READ = StrictProbe.table("GET", "/T()").header("x-ms-date", DATE_BY_THE_CLIENT);

    @Test
    @DisplayName("RETRY-3: a request that is dated too far off the service's clock is refused with the service's date")
    void refusesByTheServicesClock() throws IOException {
        StubResponse response = clocked(Duration.ofMinutes(16)).send(READ);

        assertThat(response.status()).isEqualTo(403);
        assertThat(response.header("x-ms-error-code")).isEqualTo("AuthenticationFailed");
        assertThat(response.header("Date")).isEqualTo("Sat, 21 Nov 2026 10:16:00 GMT");
    }

    @Test
    void refusesByAClockThatIsBehindToo() throws IOException {
        assertThat(clocked(Duration.ofMinutes(-16)).send(READ).status()).isEqualTo(403);
    }

    @Test
    void datesItsResponsesByTheServicesClock() throws IOException {
        StubResponse response = clocked(Duration.ofMinutes(15)).send(READ);

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.header("Date")).isEqualTo("Sat, 21 Nov 2026 10:15:00 GMT");
    }

    private static ServiceExchange clocked(Duration ahead) {
        return new ServiceExchange(
                new ServiceClock(Clock.offset(ServiceExchange.CLOCK, ahead)),
                request -> StubResponse.of(200).header("Date", DATE_BY_THE_CLIENT));
    }

    @Test
    @DisplayName("RETRY-4: each third request is told to come again later")
    void throttlesEachThirdRequest() throws IOException {
        ServiceExchange exchange =
                new ServiceExchange(new Throttling(3, Duration.ofMillis(2500)), request -> StubResponse.of(200));

        assertThat(exchange.send(READ).status()).isEqualTo(200);
        assertThat(exchange.send(READ).status()).isEqualTo(200);
        StubResponse busy = exchange.send(READ);
        assertThat(busy.status()).isEqualTo(503);
        assertThat(busy.header("Retry-After")).isEqualTo("2");
        assertThat(busy.text()).contains("\"code\":\"ServerBusy\"");
        assertThat(exchange.send(READ).status()).isEqualTo(200);
        exchange.send(READ);
        assertThat(exchange.send(StrictProbe.queue("GET", "/q")).text()).contains("<Code>ServerBusy</Code>");
        assertThat(exchange.arrived).hasSize(4);
    }

    @Test
    void givesTheRefusalsOfTablesTheFormOfTheService() throws IOException {
        StubResponse xml =
                StubResponse.error(403, "AuthorizationFailure", "No \"way\".").header("x-ms-request-id", "id");
        ServiceExchange exchange = new ServiceExchange(new JsonErrors(), request -> xml);

        StubResponse response = exchange.send(READ);

        assertThat(response.status()).isEqualTo(403);
        assertThat(response.header("Content-Type")).startsWith("application/json");
        assertThat(response.header("x-ms-request-id")).isEqualTo("id");
        assertThat(response.text())
                .isEqualTo("{\"odata.error\":{\"code\":\"AuthorizationFailure\",\"message\":{\"lang\":\"en-US\","
                        + "\"value\":\"No \\\"way\\\".\"}}}");
        assertThat(exchange.send(StrictProbe.blob("GET", "/c/b")).text()).startsWith("<?xml");
    }

    @Test
    void leavesOtherResponsesOfTablesAlone() throws IOException {
        StubResponse json = StubResponse.tableError(403, "AuthorizationFailure", "x");
        StubResponse missing = StubResponse.error(404, "TableNotFound", "x");

        assertThat(new ServiceExchange(new JsonErrors(), request -> json)
                        .send(READ)
                        .text())
                .isEqualTo(json.text());
        assertThat(new ServiceExchange(new JsonErrors(), request -> missing)
                        .send(READ)
                        .text())
                .isEqualTo(missing.text());
    }
}
