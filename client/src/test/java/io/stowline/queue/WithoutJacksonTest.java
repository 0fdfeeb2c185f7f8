package io.stowline.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.azure.core.util.serializer.JsonSerializer;
import com.azure.core.util.serializer.TypeReference;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.stowline.Stowline;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

@DisplayName("Jackson 2 is needed by the library's own mapping of bodies only")
class WithoutJacksonTest {

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The client with all that it needs, in a class loader that has no Jackson 2. */
    private static URLClassLoader withoutJackson() {
        String whole = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        URL[] urls = Stream.of(whole.split(File.pathSeparator))
                .map(Path::of)
                .filter(entry -> !entry.getFileName().toString().startsWith("jackson-"))
                .map(WithoutJacksonTest::url)
                .toArray(URL[]::new);
        return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    }

    private static void respond(HttpExchange exchange, List<String> bodies) throws IOException {
        boolean send = exchange.getRequestMethod().equals("POST");
        bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        byte[] body = (send
                        ? "<QueueMessagesList><QueueMessage><MessageId>1</MessageId>"
                                + "<InsertionTime>Fri, 09 Oct 2026 21:04:30 GMT</InsertionTime>"
                                + "<ExpirationTime>Fri, 16 Oct 2026 21:04:30 GMT</ExpirationTime>"
                                + "<PopReceipt>p</PopReceipt><TimeNextVisible>Fri, 09 Oct 2026 23:29:20 GMT"
                                + "</TimeNextVisible></QueueMessage></QueueMessagesList>"
                        : "{\"odata.error\":{\"code\":\"ResourceNotFound\",\"message\":{\"value\":\"none\"}}}")
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("x-ms-request-id", "1");
        exchange.getResponseHeaders().add("x-ms-version", "2026-06-06");
        exchange.getResponseHeaders().add("Content-Type", send ? "application/xml" : "application/json");
        exchange.sendResponseHeaders(send ? 201 : 404, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Test
    @DisplayName("tables, texts and bodies of another serializer work without it")
    void works() throws Exception {
        List<String> bodies = new CopyOnWriteArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> respond(exchange, bodies));
        server.start();
        String address = "http://127.0.0.1:" + server.getAddress().getPort() + "/acct";
        try (URLClassLoader without = withoutJackson()) {
            @SuppressWarnings("unchecked")
            Consumer<String> user = (Consumer<String>)
                    without.loadClass(User.class.getName()).getConstructor().newInstance();
            user.accept("AccountName=acct;AccountKey=a2V5;TableEndpoint=" + address + ";QueueEndpoint=" + address);

            assertThatExceptionOfType(ClassNotFoundException.class)
                    .isThrownBy(() -> without.loadClass("com.fasterxml.jackson.databind.ObjectMapper"));
        } finally {
            server.stop(0);
        }

        assertThat(bodies.stream().map(WithoutJacksonTest::text))
                .containsExactly("", "plain", "{\"v\":\"of the client\"}", "{\"v\":\"of the queue\"}");
    }

    private static String text(String xml) {
        int at = xml.indexOf("<MessageText>");
        return at < 0
                ? xml
                : new String(
                        Base64.getDecoder().decode(xml.substring(at + 13, xml.indexOf("</MessageText>"))),
                        StandardCharsets.UTF_8);
    }

    /** Works with a client as an application without Jackson does. */
    public static final class User implements Consumer<String> {

        /** Made by its name. */
        public User() {}

        @Override
        public void accept(String connectionString) {
            try (Stowline storage = Stowline.connect(connectionString)) {
                assertThat(storage.table("people").find("pk", "rk")).isEmpty();
                storage.queue("orders").send("plain");
                assertThatIllegalStateException()
                        .isThrownBy(() -> storage.queue("orders", Text.class))
                        .withMessage("the library maps " + Text.class.getName()
                                + " to JSON by Jackson 2, which is missing: add"
                                + " com.fasterxml.jackson.core:jackson-databind and"
                                + " com.fasterxml.jackson.datatype:jackson-datatype-jsr310, or give another serializer"
                                + " by messageSerializer(..) of the client's builder or by"
                                + " withCodec(MessageCodec.json(Text.class, serializer)) of a queue of text");
            }
            try (Stowline storage = Stowline.builder()
                    .connectionString(connectionString)
                    .messageSerializer(new TextSerializer())
                    .build()) {
                storage.queue("orders", Text.class).send(new Text("of the client"));
                storage.queue("orders")
                        .withCodec(MessageCodec.json(Text.class, new TextSerializer()))
                        .send(new Text("of the queue"));
                assertThatExceptionOfType(IllegalArgumentException.class)
                        .isThrownBy(() -> storage.queue("orders", Text.class).send(new Text("broken")))
                        .withMessage(Text.class.getName() + " cannot be written as JSON: java.io.IOException");
            }
        }
    }

    /** A body. */
    public record Text(String v) {}

    /** Writes a body without any library. */
    private static final class TextSerializer implements JsonSerializer {

        @Override
        @SuppressWarnings("unchecked") // of this type only
        public <T> T deserialize(InputStream stream, TypeReference<T> type) {
            try {
                String json = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
                return (T) new Text(json.substring(6, json.length() - 2));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public <T> Mono<T> deserializeAsync(InputStream stream, TypeReference<T> type) {
            return Mono.fromSupplier(() -> deserialize(stream, type));
        }

        @Override
        public void serialize(OutputStream stream, Object value) {
            try {
                if (((Text) value).v().equals("broken")) {
                    throw new IOException("secret");
                }
                stream.write(("{\"v\":\"" + ((Text) value).v() + "\"}").getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public Mono<Void> serializeAsync(OutputStream stream, Object value) {
            return Mono.fromRunnable(() -> serialize(stream, value));
        }
    }
}
