package io.stowline.transport.internal.error;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.http.StorageResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceErrorTest {

    private static final Instant NOW = Instant.parse("2024-02-29T12:00:00Z");

    private static ServiceError error(String body, String... headers) {
        HttpHeaders all = new HttpHeaders();
        for (int i = 0; i < headers.length; i += 2) {
            all.set(HttpHeaderName.fromString(headers[i]), headers[i + 1]);
        }
        return ServiceError.of(new StorageResponse(409, all, body.getBytes(StandardCharsets.UTF_8)), NOW);
    }

    @Test
    @DisplayName("RETRY-3: the code of the header goes before the body's")
    void headerGoesBeforeBody() {
        String body = Bench.jsonError("FromBody", "4:text");

        assertThat(error(body, "x-ms-error-code", "FromHeader").code()).isEqualTo("FromHeader");
        assertThat(error(body, "x-ms-error-code", "").code()).isEqualTo("FromBody");
        assertThat(error(body).index()).isEqualTo(4);
        assertThat(error("", "x-ms-error-code", "FromHeader").is("FromHeader")).isTrue();
        assertThat(error("").is("FromHeader")).isFalse();
    }

    @ParameterizedTest
    @DisplayName("RETRY-4: every spelling of the hint is read")
    @CsvSource({"Retry-After, 2, PT2S", "retry-after-ms, 2500, PT2.5S", "x-ms-retry-after-ms, 70, PT0.07S"})
    void readsHints(String header, String value, Duration expected) {
        assertThat(error("", header, value).hint()).isEqualTo(expected);
    }

    @Test
    @DisplayName("RETRY-4: a date in a hint is measured against the response's own date")
    void hintIsMeasuredByTheResponsesDate() {
        String inAMinute = "Thu, 29 Feb 2024 12:21:00 GMT";

        assertThat(error("", "Retry-After", inAMinute, "Date", "Thu, 29 Feb 2024 12:20:00 GMT")
                        .hint())
                .isEqualTo(Duration.ofMinutes(1));
        assertThat(error("", "Retry-After", inAMinute).hint()).isEqualTo(Duration.ofMinutes(21));
    }

    @Test
    void readsDateAndRequestId() {
        ServiceError error = error("", "Date", "Thu, 29 Feb 2024 12:20:00 GMT", "x-ms-request-id", "6ca9");

        assertThat(error.date()).isEqualTo(NOW.plusSeconds(1_200));
        assertThat(error.requestId()).isEqualTo("6ca9");
        assertThat(error.status()).isEqualTo(409);
    }

    @Test
    @DisplayName("RETRY-3: the challenge of a refusal is kept")
    void readsTheChallenge() {
        assertThat(error("", "WWW-Authenticate", "Bearer resource_id=x").challenge())
                .isEqualTo("Bearer resource_id=x");
    }

    @Test
    @DisplayName("RETRY-7: a text that repeats the request is kept without its signature")
    void redactsTheText() {
        String body = Bench.jsonError("AuthenticationFailed", "GET https://a.test/?sig=topsecret");

        assertThat(error(body).message()).isEqualTo("GET https://a.test/?sig=***");
    }

    @Test
    void knowsNothingFromAnEmptyResponse() {
        assertThat(error(""))
                .isEqualTo(new ServiceError(409, null, "the response has no body", -1, null, null, null, null));
    }
}
