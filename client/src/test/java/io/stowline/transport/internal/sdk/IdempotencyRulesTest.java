package io.stowline.transport.internal.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import io.stowline.transport.internal.request.OperationType;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyRulesTest {

    private static final String ENTITY = "https://acct.table.core.windows.net/people(PartitionKey='p',RowKey='r')";

    private static HttpRequest request(HttpMethod method, String url, Map<String, String> headers) {
        HttpRequest request = new HttpRequest(method, url);
        headers.forEach((name, value) -> request.setHeader(HttpHeaderName.fromString(name), value));
        return request;
    }

    private static boolean twice(String method, String url, Map<String, String> headers) {
        return IdempotencyRules.twice(request(HttpMethod.valueOf(method), url, headers));
    }

    @ParameterizedTest
    @DisplayName("RETRY-11: the two upserts, and an update of whatever is there, set an entity whole")
    @ValueSource(strings = {"PUT", "PATCH"})
    void upserts(String method) {
        assertThat(twice(method, ENTITY, Map.of())).isTrue();
        assertThat(twice(method, ENTITY + "?timeout=30", Map.of())).isTrue();
        assertThat(twice(method, ENTITY, Map.of("If-Match", "*"))).isTrue();
        assertThat(twice(method, ENTITY, Map.of("If-Match", "W/\"1\""))).isFalse();
    }

    @ParameterizedTest
    @DisplayName("RETRY-11: what can find its own doing is not done twice")
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "POST, /people",
                "POST, /Tables",
                "POST, /$batch",
                "DELETE, \"/people(PartitionKey='p',RowKey='r')\"",
                "DELETE, /Tables('people')",
                "PUT, /orders",
                "PUT, /orders/messages/id?popreceipt=r",
                "PUT, /photos?restype=container",
                "PUT, /photos?restype=container&comp=lease",
                "PUT, /photos?restype=container&comp=undelete",
                "PUT, /photos/a?comp=snapshot",
                "PUT, /photos/a?comp=appendblock",
                "PUT, /photos/a?comp=somethingnew",
                "PATCH, /photos/a",
            })
    void notTwice(String method, String path) {
        assertThat(twice(method, "https://acct.table.core.windows.net" + path, Map.of()))
                .isFalse();
    }

    @ParameterizedTest
    @DisplayName("RETRY-11: nothing with a condition on what it changes is done twice")
    @ValueSource(strings = {"If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "x-ms-if-tags"})
    void conditions(String name) {
        String url = "https://acct.blob.core.windows.net/photos/a?comp=metadata";

        assertThat(twice("PUT", url, Map.of())).isTrue();
        assertThat(twice("PUT", url, Map.of(name, "x"))).isFalse();
    }

    @Test
    @DisplayName("RETRY-11: a copy is not done twice, whatever the blob is called")
    void copies() {
        String url = "https://acct.blob.core.windows.net/photos/a(PartitionKey=";

        assertThat(twice("PUT", url, Map.of("x-ms-copy-source", "https://other")))
                .isFalse();
        assertThat(twice("PUT", url, Map.of("x-ms-copy-source", "https://other", "x-ms-blob-type", "BlockBlob")))
                .isTrue();
    }

    @Property
    @Label("RETRY-11: a read is repeated whatever it asks; a POST or DELETE that is not known as a question never is")
    void byMethod(@ForAll @AlphaChars @StringLength(min = 1, max = 20) String comp) {
        String url = "https://acct.blob.core.windows.net/photos/a?comp=x" + comp;

        assertThat(twice("GET", url, Map.of("If-None-Match", "*"))).isTrue();
        assertThat(twice("HEAD", url, Map.of())).isTrue();
        assertThat(twice("POST", url, Map.of())).isFalse();
        assertThat(twice("DELETE", url, Map.of())).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /orders/messages, READ",
        "HEAD, /photos/a, READ",
        "POST, /photos/a?comp=query, READ",
        "POST, /?restype=service&comp=userdelegationkey, READ",
        "POST, /Tables, CREATE",
        "POST, /acct/Tables?timeout=30, CREATE",
        "PUT, /orders, CREATE",
        "PUT, /acct/orders?timeout=30, CREATE",
        "PUT, /photos?restype=container, CREATE",
        "PUT, /photos?restype=container&comp=metadata, WRITE",
        "PUT, /orders/messages/id?popreceipt=r, WRITE",
        "PUT, /orders?comp=metadata, WRITE",
        "POST, /orders/messages, WRITE",
        "DELETE, /orders, WRITE",
    })
    void effects(String method, String path, OperationType expected) {
        HttpRequest request = request(HttpMethod.valueOf(method), "https://acct.core.windows.net" + path, Map.of());

        assertThat(IdempotencyRules.effect(request)).isEqualTo(expected);
    }

    @Test
    void writingABlobIsNotTheMakingOfAQueue() {
        assertThat(IdempotencyRules.effect(request(
                        HttpMethod.PUT, "https://acct.blob.core.windows.net/a", Map.of("x-ms-blob-type", "BlockBlob"))))
                .isEqualTo(OperationType.WRITE);
        assertThat(IdempotencyRules.effect(request(
                        HttpMethod.PUT, "https://acct.blob.core.windows.net/a", Map.of("x-ms-copy-source", "b"))))
                .isEqualTo(OperationType.WRITE);
        assertThat(IdempotencyRules.effect(request(HttpMethod.PUT, ENTITY, Map.of())))
                .isEqualTo(OperationType.WRITE);
    }
}
