package io.stowline;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.credential.AzureSasCredential;
import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.error.StorageException;
import io.stowline.retry.RetrySettings;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.transport.internal.account.AccountBuilder;
import io.stowline.transport.internal.account.ConnectionString;
import io.stowline.transport.internal.account.StorageAccount;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Every way to fail, with a service and an HTTP client that repeat all they were given: nothing that is shown holds a secret. */
class SecretsTest {

    private static final Duration SHORT = Duration.ofMillis(150);

    private static final String KEY =
            Base64.getEncoder().encodeToString("TOPSECRET-key-of-the-account".getBytes(StandardCharsets.UTF_8));
    private static final String KEY_START = KEY.substring(0, 20);
    private static final String SAS = "sv=2024-11-04&ss=bqt&srt=sco&sp=rwdlacu&se=2030-01-01&sig=TOPSECRETsas%2Bx%3D";
    private static final String TOKEN = "TOPSECRET.token.of-the_caller";
    private static final String ENDPOINT = "https://acct.table.core.windows.net";

    private final CapturedLog log = new CapturedLog("io.stowline.operations", "io.stowline.leaks");
    private final List<String> shown = new ArrayList<>();

    /** The wire behind the client. */
    enum Behind {
        REFUSING_EVERYTHING,
        REQUESTING_ANOTHER_TOKEN,
        FINDING_NOTHING,
        IN_CONFLICT,
        BUSY,
        BROKEN,
        UNREADABLE,
        DISCONNECTED,
        UNREACHABLE,
        WRONG_BY_DESIGN;

        Mono<HttpResponse> response(HttpRequest request) {
            return switch (this) {
                case REFUSING_EVERYTHING -> Mono.just(new Echo(request, 403));
                case REQUESTING_ANOTHER_TOKEN -> Mono.just(new Echo(request, 401));
                case FINDING_NOTHING -> Mono.just(new Echo(request, 404));
                case IN_CONFLICT -> Mono.just(new Echo(request, 409));
                case BUSY -> Mono.just(new Echo(request, 503));
                case BROKEN -> Mono.just(new Echo(request, 500));
                case UNREADABLE -> Mono.just(new Echo(request, 200));
                case DISCONNECTED -> Mono.error(new IOException(all(request), new IOException(all(request))));
                case UNREACHABLE -> Mono.error(new ConnectException(all(request)));
                case WRONG_BY_DESIGN -> throw new IllegalStateException(all(request));
            };
        }
    }

    private static String all(HttpRequest request) {
        HttpHeaders headers = request.getHeaders();
        return request.getHttpMethod() + " " + request.getUrl() + " "
                + headers.getValue(HttpHeaderName.AUTHORIZATION) + " "
                + headers.getValue(HttpHeaderName.fromString("x-ms-copy-source")) + " "
                + headers.getValue(HttpHeaderName.fromString("x-ms-copy-source-authorization"));
    }

    @AfterEach
    void closeLog() {
        log.close();
    }

    private void show(Object any) {
        shown.add(String.valueOf(any));
        if (any instanceof StorageException failed) {
            shown.add(failed.failure().toString());
        }
        if (any instanceof Throwable thrown) {
            StringWriter trace = new StringWriter();
            thrown.printStackTrace(new PrintWriter(trace));
            shown.add(trace.toString());
        }
    }

    private void fails(Runnable call) {
        assertThat(failed(call)).as("it should have failed").isTrue();
    }

    private boolean failed(Runnable call) {
        try {
            call.run();
            return false;
        } catch (Throwable e) {
            show(e);
            return true;
        }
    }

    private void assertNothingLeaked() {
        shown.add(log.text());
        assertThat(shown).isNotEmpty().allSatisfy(text -> assertThat(text)
                .doesNotContain("TOPSECRET", KEY_START)
                .doesNotContainPattern("sig=(?!\\*{3}|…)")
                .doesNotContainPattern("SharedKey acct:(?!\\*{3})"));
    }

    /** Short, as the outcome cannot be found. */
    private static RetrySettings.Builder impatient(RetrySettings.Builder retry) {
        return retry.retries(0)
                .minAttempt(Duration.ofMillis(10))
                .reserve(Duration.ZERO)
                .deadline(SHORT);
    }

    private void drive(Behind behind, Consumer<Stowline.Builder> credential) {
        Stowline.Builder builder = Stowline.builder()
                .endpoint(ENDPOINT)
                .httpClient(behind::response)
                .retry(SecretsTest::impatient);
        credential.accept(builder);
        try (Stowline storage = builder.build()) {
            Table<Entity> table = storage.table("people");
            show(storage);
            show(table);
            show(storage.reactive());
            show(table.reactive());
            int before = shown.size();
            Entity entity = Entity.builder("p", "r").set("age", 3).build();
            failed(() -> table.insert(entity));
            failed(() -> table.query().list());
            failed(table::create);
            failed(storage::listTables);
            failed(() -> table.transaction("p").insertOrReplace(entity).commit());
            failed(() -> {
                try (TableWriter<Entity> writer = table.writer(settings -> settings.deliveryTimeout(SHORT))) {
                    // another entity: after a lost response the same one would be reserved until its horizon
                    writer.insertOrReplace(Entity.builder("p", "s").build());
                }
            });
            failed(() -> storage.queue("orders").create());
            failed(() -> storage.container("photos").create());
            if (behind != Behind.UNREADABLE) {
                assertThat(log.text()).contains("people");
                assertThat(shown).as("failures").hasSizeGreaterThan(before + 20);
            }
        }
        assertNothingLeaked();
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: no key and no signature made with one is shown")
    @EnumSource(Behind.class)
    void keys(Behind behind) {
        drive(behind, builder -> builder.credential(new AzureNamedKeyCredential("acct", KEY)));
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: no shared access signature is shown")
    @EnumSource(Behind.class)
    void signatures(Behind behind) {
        drive(behind, builder -> builder.credential(new AzureSasCredential(SAS)));
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: no token is shown")
    @EnumSource(Behind.class)
    void tokens(Behind behind) {
        AccessToken token =
                new AccessToken(TOKEN, OffsetDateTime.now(ZoneOffset.UTC).plusDays(1));
        drive(behind, builder -> builder.credential((TokenCredential) request -> Mono.just(token)));
    }

    @Test
    @DisplayName("RETRY-7: what a credential says does not show its token")
    void credentials() {
        TokenCredential broken = request -> Mono.error(new IllegalStateException(
                "{\"access_token\":\"" + TOKEN + "\"}", new IOException("Authorization: Bearer " + TOKEN)));
        drive(Behind.BUSY, builder -> builder.credential(broken));
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: what the builder refuses does not show a secret")
    @ValueSource(
            strings = {
                "AccountName=acct;AccountKey=%s;AccountKey=%s",
                "AccountName=acct;AccountKey=%s;%s",
                "AccountName=acct;AccountKey=*%s",
                "AccountName=acct;AccountKey=%s;Colour=red",
                "AccountName=acct;AccountKey=%s;TableEndpoint=https://a.test/?%s",
                "AccountName=acct;AccountKey=%s;TableEndpoint=https://me:%s@a.test/",
                "AccountName=acct;AccountKey=%s;TableEndpoint=https://other.table.core.windows.net",
                "AccountName=acct;AccountKey=%s;TableEndpoint=https://acct.table.cosmos.azure.com",
                "AccountName=acct;SharedAccessSignature=%s;AccountKey=%s",
                "SharedAccessSignature=%s",
                "AccountKey=%s",
                "UseDevelopmentStorage=%s",
                "AccountName=acct;AccountKey=QUJD;DefaultEndpointsProtocol=%s",
                "%s"
            })
    void connectionStrings(String text) {
        for (String secret : List.of(KEY, SAS, "TOPSECRETsas")) {
            fails(() -> Stowline.connect(text.replace("%s", secret)));
        }
        assertNothingLeaked();
    }

    @Test
    @DisplayName("RETRY-7: what the builder refuses does not show a secret")
    void builders() {
        AzureSasCredential whole = new AzureSasCredential("https://acct.blob.core.windows.net/?" + SAS);
        fails(() -> Stowline.builder().credential(new AzureNamedKeyCredential("acct", "*" + KEY)));
        fails(() -> Stowline.builder().credential(new AzureSasCredential("TOPSECRETsas")));
        fails(() -> Stowline.builder().credential(whole));
        fails(() -> Stowline.builder().credential(new AzureNamedKeyCredential(KEY, "acct")));
        fails(() -> Stowline.builder().accountName(KEY));
        fails(() -> Stowline.builder().applicationId(KEY));
        fails(() -> Stowline.builder().applicationId(SAS));
        fails(() -> Stowline.builder().serviceVersion(KEY));
        fails(() -> Stowline.connect("AccountName=" + KEY + ";AccountKey=QUJD"));
        fails(() -> Stowline.connect("AccountName=" + SAS + ";SharedAccessSignature=" + SAS));
        fails(() -> Stowline.builder().endpoint("https://acct.blob.core.windows.net/?" + SAS));
        fails(() -> Stowline.builder().tableEndpoint("https://acct.blob.core.windows.net/c?" + SAS));
        fails(() -> Stowline.builder().tableEndpoint(KEY));
        fails(() -> Stowline.builder()
                .connectionString("AccountName=acct;AccountKey=" + KEY)
                .credential(new AzureSasCredential(SAS))
                .build());
        fails(() -> Stowline.builder()
                .endpoint("https://other.blob.core.windows.net")
                .credential(new AzureNamedKeyCredential("acct", KEY))
                .build());
        assertNothingLeaked();
    }

    @Test
    @DisplayName("RETRY-7: what holds a secret does not show it")
    void holders() {
        AccountBuilder plan = new AccountBuilder().endpoint(ENDPOINT).credential(new AzureSasCredential(SAS));
        StorageAccount byKey = ConnectionString.parse("AccountName=acct;AccountKey=" + KEY);
        StorageAccount bySas = ConnectionString.parse("AccountName=acct;SharedAccessSignature=" + SAS);
        show(plan);
        show(plan.account());
        show(byKey);
        show(byKey.credential());
        show(bySas);
        show(bySas.credential());
        show(Stowline.builder().connectionString("AccountName=acct;AccountKey=" + KEY));
        assertNothingLeaked();
    }

    /** A response that repeats the whole request, as a proxy or a diagnosing service may. */
    private static final class Echo extends HttpResponse {

        private final int status;
        private final HttpHeaders headers = new HttpHeaders();
        private final byte[] body;

        Echo(HttpRequest request, int status) {
            super(request);
            this.status = status;
            this.body = ("{\"odata.error\":{\"code\":\"AuthenticationFailed\",\"message\":{\"value\":\"I was sent "
                            + all(request).replace("\"", "'") + "\"}}}")
                    .getBytes(StandardCharsets.UTF_8);
            headers.set(HttpHeaderName.fromString("x-ms-version"), "2026-06-06");
            headers.set(HttpHeaderName.WWW_AUTHENTICATE, "Bearer authorization_uri=https://login.test/tenant/x");
        }

        @Override
        public int getStatusCode() {
            return status;
        }

        @Override
        @Deprecated
        public String getHeaderValue(String name) {
            return headers.getValue(HttpHeaderName.fromString(name));
        }

        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }

        @Override
        public Flux<ByteBuffer> getBody() {
            return Flux.just(ByteBuffer.wrap(body));
        }

        @Override
        public Mono<byte[]> getBodyAsByteArray() {
            return Mono.just(body);
        }

        @Override
        public Mono<String> getBodyAsString() {
            return getBodyAsString(StandardCharsets.UTF_8);
        }

        @Override
        public Mono<String> getBodyAsString(Charset charset) {
            return Mono.just(new String(body, charset));
        }
    }
}
