package io.stowline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.credential.AzureSasCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.blob.TransferReport.Item;
import io.stowline.error.ProtocolException;
import io.stowline.error.StorageException;
import io.stowline.table.Entity;
import io.stowline.transport.internal.http.response.BufferedResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Responses and errors that repeat the proof of their request, without the words around it. */
class EchoedSignatureTest {

    private static final String PLAIN = "TOPSECRETxyz0123456789abcdefghijklmnopqrst0";
    private static final String SIGNATURE = "aB3+/xTOPSECRETxyz0123456789abcdefghijklmn0=";
    private static final String ENCODED = "aB3%2B%2FxTOPSECRETxyz0123456789abcdefghijklmn0%3D";

    private static final Pattern IN_ADDRESS = Pattern.compile("[?&]sig=([^&]+)");
    private static final Pattern IN_PART = Pattern.compile("Authorization: SharedKey acct:(\\S+)|[?&]sig=([^& ]+)");

    private final List<String> secrets = new ArrayList<>();

    /** The proof of each request. */
    enum Credential {
        KEY,
        SIGNATURE;

        private void into(Stowline.Builder builder, String signature) {
            if (this == KEY) {
                builder.credential(new AzureNamedKeyCredential("acct", "a2V5LW9mLXRoZS1hY2NvdW50"));
            } else {
                builder.credential(new AzureSasCredential("sv=2020-01-01&ss=bqt&sig=" + signature));
            }
        }
    }

    private static Map<String, Consumer<Stowline>> verbs() {
        Entity entity = Entity.builder("p", "r").set("v", 1).build();
        return Map.of(
                "find", storage -> storage.table("people").find("p", "r"),
                "insert", storage -> storage.table("people").insert(entity),
                "peek", storage -> storage.queue("orders").peek(1),
                "send", storage -> storage.queue("orders").send("text"),
                "count", storage -> storage.queue("orders").approximateCount(),
                "download", storage -> storage.container("photos").download("a"),
                "upload", storage -> storage.container("photos").upload(new byte[3], "a"),
                "list", storage -> storage.container("photos").stream().forEach(blob -> {}));
    }

    static Stream<Arguments> verbsAndCredentials() {
        return verbs().keySet().stream()
                .flatMap(verb -> Stream.of(Credential.values()).map(credential -> Arguments.of(verb, credential)));
    }

    private String noted(String secret) {
        secrets.add(secret.replaceAll("=+$", ""));
        return secret;
    }

    private String secret(HttpRequest request) {
        String proof = request.getHeaders().getValue(HttpHeaderName.AUTHORIZATION);
        if (proof != null) {
            return noted(proof.substring(proof.lastIndexOf(':') + 1));
        }
        Matcher signature = IN_ADDRESS.matcher(request.getUrl().toString());
        assertThat(signature.find()).isTrue();
        return noted(URLDecoder.decode(signature.group(1), StandardCharsets.UTF_8));
    }

    private static HttpResponse response(HttpRequest request, int status, String body, String... headers) {
        HttpHeaders all = new HttpHeaders().set(HttpHeaderName.fromString("x-ms-request-id"), "r-1");
        for (int i = 0; i < headers.length; i += 2) {
            all.set(HttpHeaderName.fromString(headers[i]), headers[i + 1]);
        }
        return new BufferedResponse(request, status, all, body.getBytes(StandardCharsets.UTF_8));
    }

    private static <A> A with(Credential credential, String signature, HttpClient http, Function<Stowline, A> call) {
        Stowline.Builder builder = Stowline.builder()
                .accountName("acct")
                .tableEndpoint("https://acct.table.core.windows.net")
                .queueEndpoint("https://acct.queue.core.windows.net")
                .blobEndpoint("https://acct.blob.core.windows.net")
                .httpClient(http)
                .retry(retry -> retry.retries(0)
                        .minAttempt(Duration.ofMillis(10))
                        .reserve(Duration.ZERO)
                        .deadline(Duration.ofMillis(500)))
                .closeTimeout(Duration.ofSeconds(5));
        credential.into(builder, signature);
        try (Stowline storage = builder.build()) {
            return call.apply(storage);
        }
    }

    private static Throwable failure(Credential credential, HttpClient http, Consumer<Stowline> call) {
        return with(credential, ENCODED, http, storage -> catchThrowable(() -> call.accept(storage)));
    }

    private void assertHidden(@Nullable Throwable failure) {
        assertThat(failure).isInstanceOf(StorageException.class);
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        assertThat(secrets).isNotEmpty();
        for (String secret : secrets) {
            assertThat(trace.toString()).contains("***").doesNotContain(secret);
            assertThat(((StorageException) failure).failure().toString()).doesNotContain(secret);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 409, 503})
    @DisplayName("RETRY-7: a refusal that repeats the shared access signature of its request shows none of it")
    void refusal(int status) {
        HttpClient http = request -> Mono.just(response(
                request,
                status,
                "<Error><Message>found '" + SIGNATURE + "' in " + ENCODED + "</Message></Error>",
                "x-ms-error-code",
                "AuthenticationFailed"));

        assertThat(failure(Credential.SIGNATURE, http, storage -> storage.table("people")
                        .find("p", "r")))
                .hasMessageContaining("found '***' in ***")
                .hasMessageNotContaining("TOPSECRET");
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("verbsAndCredentials")
    @DisplayName("RETRY-7: a refusal that repeats the proof of its request shows none of it, in each service")
    void refusals(String verb, Credential credential) {
        HttpClient http = request -> Mono.fromSupplier(
                () -> response(request, 403, "<Error><Message>found '" + secret(request) + "'</Message></Error>"));

        assertHidden(failure(credential, http, verbs().get(verb)));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("verbsAndCredentials")
    @DisplayName("RETRY-7: an error of the HTTP client that repeats the proof of its request shows none of it")
    void errors(String verb, Credential credential) {
        HttpClient broken = request ->
                Mono.error(() -> new IOException("reset by " + secret(request), new IOException(secret(request))));
        HttpClient unconnected = request -> Mono.error(() -> new ConnectException("no way to " + secret(request)));

        assertHidden(failure(credential, broken, verbs().get(verb)));
        assertHidden(failure(credential, unconnected, verbs().get(verb)));
    }

    @Test
    @DisplayName("RETRY-7: an error code or an id that is the signature of the request is not shown")
    void codesAndIds() {
        HttpClient http = request -> Mono.just(response(
                request, 403, "<Error><Code>Text</Code></Error>", "x-ms-error-code", PLAIN, "x-ms-request-id", PLAIN));
        Throwable failure = with(
                Credential.SIGNATURE,
                PLAIN,
                http,
                storage -> catchThrowable(() -> storage.table("people").find("p", "r")));

        assertThat(failure).hasMessageContaining("403").hasMessageNotContaining(PLAIN);
    }

    private String proofOfPart(String requests, int part) {
        Matcher proofs = IN_PART.matcher(requests);
        for (int i = 0; i <= part; i++) {
            assertThat(proofs.find()).isTrue();
        }
        String encoded = proofs.group(2);
        return noted(encoded == null ? proofs.group(1) : URLDecoder.decode(encoded, StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @EnumSource(Credential.class)
    @DisplayName("RETRY-7: the refusal of one operation of a transaction shows no proof of the whole")
    void partsOfTransactions(Credential credential) {
        HttpClient http = request -> Mono.fromSupplier(() -> response(
                request,
                202,
                "--b\r\n"
                        + "Content-Type: multipart/mixed; boundary=c\r\n\r\n"
                        + "--c\r\n"
                        + "Content-Type: application/http\r\n\r\n"
                        + "HTTP/1.1 403 Forbidden\r\n\r\n"
                        + "{\"odata.error\":{\"code\":\"Other\",\"message\":{\"value\":\"0:found '"
                        + secret(request) + "'\"}}}\r\n--c--\r\n--b--\r\n",
                "Content-Type",
                "multipart/mixed; boundary=b"));

        assertHidden(failure(credential, http, storage -> storage.table("people")
                .transaction("p")
                .insert(Entity.builder("p", "r").build())
                .insert(Entity.builder("p", "s").build())
                .commit()));
    }

    @ParameterizedTest
    @EnumSource(Credential.class)
    @DisplayName("RETRY-7: the refusal of one request of a blob batch shows neither its proof nor that of the whole")
    void partsOfBlobBatches(Credential credential) {
        HttpClient http = request -> Mono.fromSupplier(() -> {
            String requests = request.getBodyAsBinaryData().toString();
            StringBuilder parts = new StringBuilder();
            for (int part = 0; part < 2; part++) {
                parts.append("--b\r\nContent-Type: application/http\r\nContent-ID: ")
                        .append(part)
                        .append("\r\n\r\n"
                                + "HTTP/1.1 403 Forbidden\r\n"
                                + "x-ms-error-code: Other\r\n\r\n"
                                + "<Error><Message>found '")
                        .append(secret(request))
                        .append("' and '")
                        .append(proofOfPart(requests, part))
                        .append("'</Message></Error>\r\n");
            }
            return response(request, 202, parts + "--b--\r\n", "Content-Type", "multipart/mixed; boundary=b");
        });
        List<Item> ends = with(credential, ENCODED, http, storage -> storage.container("photos")
                .deleteAll(List.of("a", "b")));

        assertThat(ends).hasSize(2).allSatisfy(end -> assertHidden(end.error()));
    }

    @ParameterizedTest
    @EnumSource(Credential.class)
    @DisplayName("RETRY-7: a range that does not fit shows no proof that its headers repeat")
    void unreadableRanges(Credential credential) {
        HttpClient http = request -> Mono.fromSupplier(() -> response(
                request,
                206,
                "abc",
                "ETag",
                "\"" + secret(request) + "\"",
                "Content-Range",
                "bytes 7-9/20",
                "Content-Length",
                "3",
                "x-ms-blob-type",
                "BlockBlob"));
        Throwable failure =
                failure(credential, http, storage -> storage.container("photos").download("a"));

        assertThat(failure).isInstanceOf(ProtocolException.class).hasMessageContaining("of the version \"***\"");
        assertHidden(failure);
    }
}
