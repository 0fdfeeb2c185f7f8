package io.stowline.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.internal.Stage;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StrictModeTest {

    private static final SentRequest NO_IF_MATCH = request("DELETE", "/T(PartitionKey='p',RowKey='r')", Map.of());
    private static final SentRequest FUNCTION = request("GET", "/T()?$filter=length(a)%20eq%201", Map.of());

    @Test
    void countsItsRefusalsByRule() throws IOException {
        StrictMode strict = StrictMode.on();
        Stage stage = strict.stage();

        send(stage, NO_IF_MATCH);
        send(stage, NO_IF_MATCH);
        send(strict.stage(), FUNCTION);

        assertThat(strict.refusals())
                .isEqualTo(Map.of(StrictRule.DELETE_WITHOUT_IF_MATCH, 2L, StrictRule.FILTER_FUNCTION, 1L));
        assertThat(strict)
                .hasToString("StrictMode[without=[], refusals=" + "{FILTER_FUNCTION=1, DELETE_WITHOUT_IF_MATCH=2}]");
    }

    @Test
    void putsRulesOutOfForceOneAfterTheOther() throws IOException {
        StrictMode lenient =
                StrictMode.on().without(StrictRule.DELETE_WITHOUT_IF_MATCH).without(StrictRule.FILTER_FUNCTION);

        assertThat(send(lenient.stage(), NO_IF_MATCH).status()).isEqualTo(204);
        assertThat(send(lenient.stage(), FUNCTION).status()).isEqualTo(204);
        assertThat(lenient.refusals()).isEmpty();
    }

    @Test
    void countsNothingForTheOneThatItWasMadeOf() throws IOException {
        StrictMode strict = StrictMode.on();
        StrictMode other = strict.without(StrictRule.DATE_SKEW);

        send(other.stage(), NO_IF_MATCH);

        assertThat(strict.refusals()).isEmpty();
        assertThat(other.refusals()).hasSize(1);
    }

    @Test
    void goesByTheGivenClock() throws IOException {
        SentRequest signed = request(
                "GET",
                "/T()",
                Map.of(
                        "Authorization", "SharedKey a:b",
                        "x-ms-version", "2020-12-06",
                        "Accept", "application/json",
                        "x-ms-date", "Sat, 21 Nov 2026 10:00:00 GMT"));
        Clock right = Clock.fixed(Instant.parse("2026-11-21T10:15:00Z"), ZoneOffset.UTC);
        Clock late = Clock.fixed(Instant.parse("2026-11-21T10:15:01Z"), ZoneOffset.UTC);

        assertThat(send(StrictMode.on().clock(right).stage(), signed).status()).isEqualTo(204);
        assertThat(send(StrictMode.on().clock(late).stage(), signed).status()).isEqualTo(403);
    }

    private static SentRequest request(String method, String path, Map<String, String> headers) {
        return SentRequest.of(method, "/devstoreaccount1" + path, headers, new byte[0])
                .withService(StorageService.TABLE);
    }

    private static StubResponse send(Stage stage, SentRequest request) throws IOException {
        return stage.response(request, passed -> StubResponse.of(204));
    }
}
