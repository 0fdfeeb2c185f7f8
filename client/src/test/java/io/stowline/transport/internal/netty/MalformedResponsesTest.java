package io.stowline.transport.internal.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.core.http.ProxyOptions;
import io.stowline.Stowline;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.ProtocolException;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server whose responses break the rules of HTTP. */
@Timeout(60)
class MalformedResponsesTest {

    private static final String TWO_LENGTHS = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab";
    private static final String ABSENT =
            "HTTP/1.1 404 Not Found\r\nx-ms-error-code: ResourceNotFound\r\nContent-Length: 0\r\n\r\n";
    private static final String CONNECTED = "HTTP/1.1 200 OK\r\n\r\n";

    private static Table<Entity> table(Stowline client) {
        return client.table("notes", Entity.class);
    }

    @ParameterizedTest
    @DisplayName(
            "RETRY-2: a malformed response to a read is a protocol error, after as many attempts as for a lost one")
    @ValueSource(
            strings = {
                TWO_LENGTHS,
                "SSH-2.0-OpenSSH\r\n",
                "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n"
            })
    void read(String text) throws IOException {
        try (ScriptedServer server = new ScriptedServer(received -> text);
                Stowline client = server.client(1)) {
            assertThatThrownBy(() -> table(client).find("p", "r"))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("the response breaks the rules of HTTP: ")
                    .hasMessageContaining("attempts 2;");
            assertThat(server.requests).hasValue(2);
            assertThat(server.connections).hasValue(2);
        }
    }

    @Test
    @DisplayName("RETRY-2: a read whose first response is malformed is repeated")
    void repeatedRead() throws IOException {
        try (ScriptedServer server = new ScriptedServer(received -> received.number() == 0 ? TWO_LENGTHS : ABSENT);
                Stowline client = server.client(1)) {
            assertThat(table(client).find("p", "r")).isEmpty();
            assertThat(server.requests).hasValue(2);
        }
    }

    @Test
    @DisplayName("RETRY-2: a malformed response through a proxy is a protocol error, too")
    void throughAProxy() throws IOException {
        try (ScriptedServer proxy =
                        new ScriptedServer(received -> received.number() % 2 == 0 ? CONNECTED : "SSH-2.0-OpenSSH\r\n");
                Stowline client = ScriptedServer.builder(1)
                        .tableEndpoint("http://storage.test/acct")
                        .proxy(new ProxyOptions(
                                ProxyOptions.Type.HTTP,
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port())))
                        .build()) {
            assertThatThrownBy(() -> table(client).find("p", "r"))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("the response breaks the rules of HTTP: ")
                    .hasMessageContaining("attempts 2;");
            assertThat(proxy.requests).hasValue(4);
        }
    }

    @Test
    @DisplayName(
            "RETRY-3: a response that announces more than 16 MiB is a protocol error at once, if nothing of it comes")
    void announced() throws IOException {
        String head = "HTTP/1.1 200 OK\r\nx-ms-request-id: r-1\r\nContent-Length: 17825792\r\n\r\n";
        try (ScriptedServer server = new ScriptedServer(received -> head);
                Stowline client = server.client(1)) {
            assertThatThrownBy(() -> table(client).find("p", "r"))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("longer than 16777216 bytes")
                    .hasMessageContaining("attempts 1;");
            assertThat(server.requests).hasValue(1);
        }
    }

    @Test
    @DisplayName("OUTCOME-0: a write with a malformed response has an unknown outcome")
    void write() throws IOException {
        try (ScriptedServer server = new ScriptedServer(received -> TWO_LENGTHS);
                Stowline client = server.client(0)) {
            OutcomeUnknownException unknown = catchThrowableOfType(OutcomeUnknownException.class, () -> table(client)
                    .insertOrReplace(Entity.builder("p", "r").set("v", 1).build()));

            assertThat(unknown.failure().unansweredAttempts()).isEqualTo(1);
            assertThat(unknown)
                    .hasCauseInstanceOf(ProtocolException.class)
                    .hasMessageContaining("the response breaks the rules of HTTP: it has two lengths");
        }
    }
}
