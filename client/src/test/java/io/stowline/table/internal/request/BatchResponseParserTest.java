package io.stowline.table.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import io.stowline.table.internal.writer.MultipartText;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchResponseParserTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2024-02-29T12:00:00Z"), ZoneOffset.UTC);

    private static ParseResult<List<String>> read(int expected, String body) {
        HttpHeaders headers = new HttpHeaders().set(HttpHeaderName.fromString("x-ms-request-id"), "outer");
        return new BatchResponseParser(expected, CLOCK)
                .read(new StorageResponse(202, headers, body.getBytes(StandardCharsets.UTF_8)));
    }

    private static ServiceError refusal(int expected, String body) {
        return ((ParseResult.RefusedResponse<List<String>>) read(expected, body)).error();
    }

    @Test
    @DisplayName("T: every operation's ETag, in the order of the operations")
    void success() {
        assertThat(read(3, MultipartText.success(3)))
                .isEqualTo(new ParseResult.Value<>(List.of("W/\"1\"", "W/\"2\"", "W/\"3\"")));
    }

    @Test
    void deletionHasNoEtag() {
        String body = MultipartText.of(MultipartText.part(204, "", "Content-ID: 1"), MultipartText.etag("W/\"2\""));

        assertThat(read(2, body)).isEqualTo(new ParseResult.Value<>(List.of("", "W/\"2\"")));
    }

    @Test
    void createdCountsAsSuccess() {
        String body = MultipartText.of(MultipartText.part(201, "{\"RowKey\":\"r\"}", "ETag: W/\"1\""));

        assertThat(read(1, body)).isEqualTo(new ParseResult.Value<>(List.of("W/\"1\"")));
    }

    @Test
    void toleratesBareLineFeedsAndHeadersInOtherCase() {
        String body = MultipartText.success(2).replace("\r\n", "\n").replace("ETag:", "etag:");

        assertThat(read(2, body)).isEqualTo(new ParseResult.Value<>(List.of("W/\"1\"", "W/\"2\"")));
    }

    @Test
    @DisplayName("RETRY-3: one part tells which operation was refused, and why")
    void refused() {
        ServiceError error =
                refusal(3, MultipartText.failure(409, "EntityAlreadyExists", "2:The specified entity already exists."));

        assertThat(error.status()).isEqualTo(409);
        assertThat(error.code()).isEqualTo("EntityAlreadyExists");
        assertThat(error.index()).isEqualTo(2);
        assertThat(error.message()).isEqualTo("2:The specified entity already exists.");
        assertThat(error.requestId()).isEqualTo("outer");
    }

    @Test
    @DisplayName("RETRY-3: a malformed refusal with stray text before its status line is read")
    void strayBoundary() {
        String body = String.join(
                "\r\n",
                "--batchresponse_1",
                "Content-Type: multipart/mixed; boundary=changesetresponse_1",
                "",
                "--changesetresponse_1",
                "changesetresponse_1",
                "HTTP/1.1 400 Bad Request",
                "Content-Type: application/json",
                "",
                MultipartText.error("InvalidInput", "0:The maximum is 100."),
                "--changesetresponse_1--",
                "--batchresponse_1--",
                "");

        assertThat(refusal(101, body).code()).isEqualTo("InvalidInput");
        assertThat(refusal(101, body).status()).isEqualTo(400);
    }

    @Test
    @DisplayName("RETRY-3: a refusal after successful parts is still a refusal")
    void refusalBehindSuccess() {
        String body = MultipartText.of(
                MultipartText.etag("W/\"1\""),
                MultipartText.part(412, MultipartText.error("UpdateConditionNotSatisfied", "1:x")));

        assertThat(refusal(2, body).status()).isEqualTo(412);
    }

    @Test
    @DisplayName("RETRY-4: a hint inside the part is read")
    void hintInsideThePart() {
        String body = MultipartText.of(MultipartText.part(
                503, MultipartText.error("ServerBusy", "x"), "retry-after: 7", "x-ms-error-code: FromHeader"));

        assertThat(refusal(2, body).hint()).isEqualTo(Duration.ofSeconds(7));
        assertThat(refusal(2, body).code()).isEqualTo("FromHeader");
    }

    @ParameterizedTest
    @DisplayName("OUTCOME-4: missing or extra parts make the response unreadable")
    @ValueSource(ints = {0, 1, 2, 4, 100})
    void wrongNumberOfParts(int parts) {
        assertThat(read(3, MultipartText.success(parts)))
                .isEqualTo(new ParseResult.Unreadable<>("the batch response has " + parts + " parts for 3 operations"));
    }

    @ParameterizedTest
    @DisplayName("OUTCOME-4: neither empty nor foreign bodies nor odd statuses pass as success")
    @ValueSource(
            strings = {
                "",
                "<html/>",
                "{}",
                "HTTP/1.1 100 Continue\r\n\r\n",
                "HTTP/1.1 304 Not Modified\r\n\r\n",
                "HTTP/1.1 204 No Content\r\n\r\n",
                "HTTP/1.1 \r\n\r\n"
            })
    void nonsense(String body) {
        assertThat(read(1, body)).isInstanceOf(ParseResult.Unreadable.class);
    }

    @Property(tries = 300)
    @Label("OUTCOME-4: a body that is cut before its last part is never a success")
    void cutBody(@ForAll @IntRange(max = 2_000) int cut) {
        String whole = MultipartText.success(5);
        int lastPart = whole.lastIndexOf("HTTP/1.1 204") + "HTTP/1.1 20".length();
        String body = whole.substring(0, Math.min(cut, lastPart));

        assertThat(read(5, body)).isInstanceOf(ParseResult.Unreadable.class);
    }

    @Test
    @DisplayName("OUTCOME-4: a body that is cut within its last part is unreadable, not a success with half an ETag")
    void cutWithinTheLastEtag() {
        String whole = MultipartText.success(2);
        String body = whole.substring(0, whole.lastIndexOf("W/\"2\"") + 3);

        assertThat(read(2, body)).isInstanceOf(ParseResult.Unreadable.class);
    }
}
