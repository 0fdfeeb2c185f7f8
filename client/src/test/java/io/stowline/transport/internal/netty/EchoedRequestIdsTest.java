package io.stowline.transport.internal.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import io.stowline.Stowline;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.UnreachableException;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.transport.internal.http.response.BufferedResponse;
import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** A server whose responses are out of step with its requests. */
@Timeout(60)
class EchoedRequestIdsTest {

    private static final String OTHER = "00000000-0000-4000-8000-000000000000";

    private static String written(String etag, String id) {
        return "HTTP/1.1 204 No Content\r\nx-ms-request-id: r-1\r\nETag: W/\"" + etag + "\"\r\nx-ms-client-request-id: "
                + id + "\r\n\r\n";
    }

    private static String found(String text, String id) {
        String json = "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"text\":\"" + text + "\"}";
        return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nETag: W/\"1\"\r\nContent-Length: " + json.length()
                + "\r\nx-ms-request-id: r-1\r\nx-ms-client-request-id: " + id + "\r\n\r\n" + json;
    }

    private static Entity entity() {
        return Entity.builder("p", "r").set("v", 1).build();
    }

    private static Table<Entity> table(Stowline client) {
        return client.table("notes", Entity.class);
    }

    @Test
    @DisplayName("OUTCOME-0: the response to another request is none of a write, and its connection is not used again")
    void aWriteIsUnanswered() throws IOException {
        try (ScriptedServer server = new ScriptedServer(
                        requested -> written("7", requested.number() == 0 ? OTHER : requested.id()));
                Stowline client = server.client(0)) {
            assertThatThrownBy(() -> table(client).insertOrReplace(entity()))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasCauseInstanceOf(UnreachableException.class)
                    .hasMessageContaining("the response is to another request: its x-ms-client-request-id is " + OTHER);
            assertThat(table(client).insertOrReplace(entity()).etag()).isEqualTo("W/\"7\"");
            assertThat(server.connections).hasValue(2);
        }
    }

    @Test
    @DisplayName("OUTCOME-0: a read that gets the response to another request asks again")
    void aReadRequestsAgain() throws IOException {
        try (ScriptedServer server = new ScriptedServer(
                        requested -> requested.number() == 0 ? found("theirs", OTHER) : found("mine", requested.id()));
                Stowline client = server.client(1)) {
            assertThat(table(client).find("p", "r").orElseThrow().value().get("text"))
                    .isEqualTo("mine");
            assertThat(server.connections).hasValue(2);
        }
    }

    @Test
    @DisplayName("OUTCOME-0: a response that comes twice is not the response to the next request")
    void doubledResponses() throws IOException {
        try (ScriptedServer server = new ScriptedServer(requested -> {
                    String response = written(Integer.toString(requested.number()), requested.id());
                    return requested.number() == 0 ? response + response : response;
                });
                Stowline client = server.client(1)) {
            assertThat(table(client).insertOrReplace(entity()).etag()).isEqualTo("W/\"0\"");
            assertThat(table(client).insertOrReplace(entity()).etag()).isNotEqualTo("W/\"0\"");
            assertThat(server.connections).hasValue(2);
        }
    }

    @ParameterizedTest
    @DisplayName("OUTCOME-0: a response without the id is accepted, and so is one with the id in other letters")
    @ValueSource(booleans = {true, false})
    void noIdOrTheSame(boolean echoed) throws IOException {
        try (ScriptedServer server = new ScriptedServer(requested -> echoed
                        ? written("7", requested.id().toUpperCase(Locale.ROOT))
                        : "HTTP/1.1 204 No Content\r\nx-ms-request-id: r-1\r\nETag: W/\"7\"\r\n\r\n");
                Stowline client = server.client(0)) {
            assertThat(table(client).insertOrReplace(entity()).etag()).isEqualTo("W/\"7\"");
            assertThat(server.requests).hasValue(1);
        }
    }

    @Test
    @DisplayName("OUTCOME-0: over an HTTP client of the application, too, the response to another request is none")
    void overAnotherHttpClient() {
        HttpClient other = request -> Mono.just(new BufferedResponse(
                request,
                204,
                new HttpHeaders().set(HttpHeaderName.fromString("x-ms-client-request-id"), OTHER),
                new byte[0]));
        try (Stowline client = ScriptedServer.builder(0)
                .tableEndpoint("http://127.0.0.1:1/acct")
                .httpClient(other)
                .build()) {
            assertThatThrownBy(() -> table(client).insertOrReplace(entity()))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessageContaining("the response is to another request");
        }
    }
}
