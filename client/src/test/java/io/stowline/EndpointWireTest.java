package io.stowline;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.ProxyOptions;
import com.azure.core.util.BinaryData;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.stowline.error.StorageException;
import io.stowline.testkit.memory.MemoryStorage;
import io.stowline.transport.internal.account.ConnectProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each verb over the HTTP clients of this library: the request line and the header Host, directly and through a tunnel. */
@Timeout(120)
class EndpointWireTest {

    private static final List<String> SERVICES = List.of("table", "queue", "blob");

    static {
        // The server of the JDK would hold each response for the delayed acknowledgement of its client.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    @TempDir
    private Path folder;

    private final MemoryStorage memory = MemoryStorage.create();
    private final List<String> hosts = new CopyOnWriteArrayList<>();
    private final List<String> wrong = new CopyOnWriteArrayList<>();

    /** A server in front of the storage in memory, at one address of this machine; the first step of a path names the service. */
    private HttpServer server(InetAddress at, String prefix) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(at, 0), 50);
        server.createContext("/", exchange -> {
            try (exchange) {
                serve(exchange, prefix);
            }
        });
        server.start();
        return server;
    }

    private void serve(HttpExchange exchange, String prefix) throws IOException {
        String target = exchange.getRequestURI().toString();
        hosts.add(exchange.getRequestHeaders().getFirst("Host"));
        byte[] body = exchange.getRequestBody().readAllBytes();
        String service = SERVICES.stream()
                .filter(one -> target.startsWith(prefix + "/" + one + "/"))
                .findFirst()
                .orElse(null);
        if (service == null || target.contains("//")) {
            wrong.add(exchange.getRequestMethod() + " " + target);
            exchange.sendResponseHeaders(400, -1);
            return;
        }
        HttpHeaders headers = new HttpHeaders();
        exchange.getRequestHeaders().forEach((name, values) -> headers.set(HttpHeaderName.fromString(name), values));
        HttpRequest own = new HttpRequest(
                HttpMethod.valueOf(exchange.getRequestMethod()),
                "https://memory." + service + ".test" + target.substring((prefix + "/" + service).length()));
        own.setHeaders(headers);
        own.setBody(BinaryData.fromBytes(body));
        HttpResponse response =
                Objects.requireNonNull(memory.httpClient().send(own).block());
        byte[] content = response.getBodyAsByteArray().blockOptional().orElse(new byte[0]);
        response.getHeaders().stream()
                .filter(header -> !Map.of("content-length", "", "date", "")
                        .containsKey(header.getName().toLowerCase(java.util.Locale.ROOT)))
                .forEach(header -> exchange.getResponseHeaders().add(header.getName(), header.getValue()));
        boolean bodiless = exchange.getRequestMethod().equals("HEAD") || content.length == 0;
        if (bodiless && response.getHeaderValue(HttpHeaderName.CONTENT_LENGTH) != null) {
            exchange.getResponseHeaders().add("Content-Length", response.getHeaderValue(HttpHeaderName.CONTENT_LENGTH));
        }
        exchange.sendResponseHeaders(response.getStatusCode(), bodiless ? -1 : content.length);
        if (!bodiless) {
            exchange.getResponseBody().write(content);
        }
    }

    private void callAll(String root, UnaryOperator<Stowline.Builder> more) {
        Stowline.Builder builder = Stowline.builder()
                .tableEndpoint(root + "/table")
                .queueEndpoint(root + "/queue")
                .blobEndpoint(root + "/blob")
                .accountName("acct")
                .credential(new AzureNamedKeyCredential("acct", "a2V5"))
                .retry(retry -> retry.retries(0));
        try (Stowline storage = more.apply(builder).build()) {
            EveryVerb.ofTables(storage).forEach(this::call);
            EveryVerb.ofQueues(storage).forEach(this::call);
            EveryVerb.ofBlobs(storage, folder).forEach(this::call);
        }
    }

    private void call(String name, EveryVerb.Verb verb) {
        try {
            EveryVerb.run(verb);
        } catch (StorageException e) {
            if (e.failure().status() == 0) {
                wrong.add(name + ": " + e);
            }
        } catch (RuntimeException e) {
            wrong.add(name + ": " + e);
        }
    }

    @ParameterizedTest
    @DisplayName("every verb reaches an address of this machine")
    @ValueSource(strings = {"127.0.0.1", "[::1]", "localhost"})
    void direct(String host) throws IOException {
        HttpServer server = server(InetAddress.getByName(host.equals("localhost") ? "127.0.0.1" : host), "");
        String authority = host + ":" + server.getAddress().getPort();
        try {
            callAll("http://" + authority, builder -> builder);
        } finally {
            server.stop(0);
        }

        assertThat(wrong).isEmpty();
        assertThat(new TreeSet<>(hosts)).containsExactly(authority);
    }

    @ParameterizedTest
    @DisplayName("every verb reaches an endpoint of any form through the tunnel of a proxy")
    @CsvSource({
        "http://storage.corp.example:7, storage.corp.example:7, storage.corp.example:7",
        "http://my_azurite:10000, my_azurite:10000, my_azurite:10000",
        "http://b\u00fccher.example:10000, xn--bcher-kva.example:10000, xn--bcher-kva.example:10000",
        "http://[2001:db8::7]:10000, [2001:db8::7]:10000, ",
        "http://gate.corp.example/a/path, gate.corp.example, gate.corp.example:80"
    })
    void tunnelled(String root, String host, String requested) throws IOException {
        String prefix = root.endsWith("/a/path") ? "/a/path" : "";
        HttpServer server = server(InetAddress.getLoopbackAddress(), prefix);
        try (ConnectProxy proxy = new ConnectProxy(server.getAddress().getPort())) {
            InetSocketAddress address = new InetSocketAddress("127.0.0.1", proxy.port());
            callAll(root, builder -> builder.proxy(new ProxyOptions(ProxyOptions.Type.HTTP, address)));
            assertThat(proxy.requested()).isNotEmpty().allSatisfy(line -> assertThat(line)
                    .startsWith("CONNECT " + (requested == null ? "" : requested + " ")));
        } finally {
            server.stop(0);
        }

        assertThat(wrong).isEmpty();
        assertThat(new TreeSet<>(hosts)).containsExactly(host);
    }
}
