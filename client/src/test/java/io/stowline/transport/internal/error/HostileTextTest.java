package io.stowline.transport.internal.error;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.TokenRequestContext;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import io.stowline.transport.internal.account.BearerChallenge;
import io.stowline.transport.internal.http.ResponseBounds;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.pipeline.LastSyncTimeCache;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The readers of a server's texts beside the bodies of responses, with the worst text. A reader with a bound reads a text of four times
 * the bound, and one of 10 MB; a reader without one reads 1 MB, and 10 MB where {@code stowline.explore} is above 1. A quadratic one
 * takes minutes.
 */
@Timeout(60)
class HostileTextTest {

    private static final int LONG = 10_000_000;
    private static final int UNBOUND = Integer.getInteger("stowline.explore", 1) > 1 ? LONG : 1_000_000;
    private static final int BEYOND = 4 * Math.max(ResponseBounds.ERROR_TEXT, ResponseBounds.HEADER);
    private static final Instant NOW = Instant.parse("2024-02-29T12:00:00Z");

    private static String much(String part) {
        return much(part, BEYOND);
    }

    private static String much(String part, int chars) {
        return part.repeat(chars / part.length());
    }

    static Stream<String> bodies() {
        return Stream.of(
                        "<message",
                        "<message ",
                        "<",
                        ">",
                        "<a:",
                        "a:",
                        "<code>",
                        "<m:m:m:message",
                        " ",
                        "\n",
                        "<code><message>",
                        "{",
                        "[",
                        "\"",
                        "\\",
                        "{\"a\":",
                        "9",
                        "\u001b",
                        "\u00e4")
                .map(HostileTextTest::much)
                .flatMap(text ->
                        Stream.of("", "<message>", "{\"message\":\"", "{").map(before -> before + text));
    }

    @Test
    @DisplayName("RETRY-3: every error body is read in time that grows with its length, up to a bound")
    void errorBodies() {
        bodies().forEach(body -> {
            ErrorBody read = ErrorBody.parse(body);

            assertThat(read.message()).hasSizeLessThan(400);
            refusal(400, new HttpHeaders(), body);
        });
    }

    @Test
    @DisplayName("RETRY-3: of 10 MB of an error body, a challenge or a message no more is looked at than the bound")
    void bounds() {
        String start = "<message>" + "m".repeat(ResponseBounds.ERROR_TEXT);
        String body = start + much("<code>a</code>", LONG);

        assertThat(ErrorBody.parse(body)).isEqualTo(ErrorBody.parse(start));
        assertThat(Redaction.of(body)).hasSize(ResponseBounds.ERROR_TEXT + 1);
        assertThat(BearerChallenge.in(body + " Bearer")).isNull();
    }

    @ParameterizedTest
    @DisplayName("RETRY-3: a challenge is read in time that grows with its length, up to a bound")
    @ValueSource(
            strings = {
                "a",
                "a ",
                "a=",
                "a=\"",
                "\"",
                "=",
                " ",
                ",",
                "a=b,",
                "Bearer ",
                "a =",
                "a= ",
                "a=\"\"",
                "/",
                "resource_id=https://a/"
            })
    void challenges(String part) {
        BearerChallenge challenge = BearerChallenge.in("Bearer " + much(part));

        assertThat(challenge).isNotNull();
        assertThat(challenge.requests(new TokenRequestContext(), "acct.test")).isNotNull();
        assertThat(BearerChallenge.in(much(part + " Bearer")))
                .satisfiesAnyOf(found -> assertThat(found).isNull(), found -> assertThat(found)
                        .isNotNull());
    }

    @ParameterizedTest
    @DisplayName("RETRY-3: so are dates, hints, ids and statistics")
    @ValueSource(strings = {"0", "9", " ", "-", "Thu, 29 Feb 2024 12:00:00 GMT", "Thu,", "<LastSyncTime>", "<", "a"})
    void headers(String part) {
        String text = much(part, UNBOUND);
        HttpHeaders headers = new HttpHeaders();
        for (HttpHeaderName name : new HttpHeaderName[] {
            HttpHeaderName.DATE,
            HttpHeaderName.RETRY_AFTER,
            HttpHeaderName.WWW_AUTHENTICATE,
            HttpHeaderName.fromString("x-ms-error-code"),
            HttpHeaderName.fromString("x-ms-request-id"),
            HttpHeaderName.fromString("retry-after-ms"),
            HttpHeaderName.fromString("x-ms-retry-after-ms")
        }) {
            headers.set(name, text);
        }
        ServiceError error = refusal(503, headers, "");

        assertThat(error.date()).isNull();
        assertThat(error.hint()).isNull();
        assertThat(error.code()).isNull();
        assertThat(error.requestId()).isNull();
        assertThat(LastSyncTimeCache.read(text)).isEmpty();
        assertThat(LastSyncTimeCache.read("<LastSyncTime>" + text + "</LastSyncTime>"))
                .isEmpty();
        assertThat(LastSyncTimeCache.read(text + "<LastSyncTime>" + text)).isEmpty();
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: secrets are taken out of a text in time that grows with its length, up to a bound")
    @ValueSource(
            strings = {
                "sig=",
                "sig",
                "AccountKey ",
                "AccountKey =",
                "Bearer ",
                "Bearer",
                "SharedKey a",
                "SharedKey ",
                "SharedKey-",
                "eyJ",
                "eyJ-",
                "eyJ.",
                "signature found in the HTTP request '",
                "signature found in the HTTP request ",
                "password ",
                "access_token\" = \"",
                "\u0301",
                " ",
                "a"
            })
    void secrets(String part) {
        String text = much(part);

        for (String before : List.of("", "Bearer ", "SharedKey ", "AccountKey")) {
            assertThat(Redaction.of(before + text)).isNotEmpty();
        }
    }

    static Stream<String> codes() {
        return Stream.of("a b", "a\nb", "\u001b[31m", "", "é", "x".repeat(129), "<b>", "a\"", "a;b");
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: a code or id that is none is not shown, wherever it stands")
    @MethodSource("codes")
    void codesAreNames(String code) {
        HttpHeaders headers = new HttpHeaders()
                .set(HttpHeaderName.fromString("x-ms-error-code"), code)
                .set(HttpHeaderName.fromString("x-ms-request-id"), code);
        String xml = "<Error><Code>" + code + "</Code><Message>m</Message></Error>";
        ServiceError error = refusal(400, headers, xml);

        assertThat(error.code()).isNull();
        assertThat(error.requestId()).isNull();
        assertThat(refusal(400, headers, "<Error><Code>ServerBusy</Code></Error>")
                        .code())
                .isEqualTo("ServerBusy");
        assertThat(Objects.requireNonNull(ServiceError.plain("x".repeat(128)))).hasSize(128);
        assertThat(ServiceError.plain("In_valid.Input-2")).isEqualTo("In_valid.Input-2");
    }

    private static ServiceError refusal(int status, HttpHeaders headers, String body) {
        return ServiceError.of(new StorageResponse(status, headers, body.getBytes(StandardCharsets.UTF_8)), NOW);
    }
}
