package io.stowline;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.credential.AzureSasCredential;
import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.stowline.SecretsTest.Behind;
import io.stowline.access.SharedAccessSignature;
import io.stowline.blob.BlobContainer;
import io.stowline.error.StorageException;
import io.stowline.observe.MicrometerListener;
import io.stowline.table.Entity;
import io.stowline.transport.internal.http.response.BufferedResponse;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

/** ACCESS-1: signatures of this library in use, with a service and an HTTP client that repeat all they were given. */
@Timeout(60)
class SignatureSecretsTest {

    private static final String KEY = "c3Rvd2xpbmUtdGVzdC1rZXk=";
    private static final String BLOBS = "https://acct.blob.core.windows.net";

    private final CapturedLog log = new CapturedLog("io.stowline.operations", "io.stowline.leaks", "io.stowline");
    private final List<String> shown = Collections.synchronizedList(new ArrayList<>());
    private final List<String> secrets = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger copies = new AtomicInteger();
    private final AtomicInteger tokens = new AtomicInteger();
    private final ObservationRegistry observations = ObservationRegistry.create();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private int failures;

    @TempDir
    Path folder;

    @AfterEach
    void closeLog() {
        log.close();
    }

    /** Every text about the end of an observation. */
    private final class ShownObservations implements ObservationHandler<Observation.Context> {

        @Override
        public void onStop(Observation.Context context) {
            shown.add(context + " " + context.getAllKeyValues() + " " + context.getContextualName());
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    private SharedAccessSignature kept(SharedAccessSignature signature) {
        String encoded = signature.token().replaceFirst(".*&sig=", "");
        secrets.add(encoded);
        secrets.add(URLDecoder.decode(encoded, StandardCharsets.UTF_8));
        shown.add(signature.toString());
        return signature;
    }

    private Stowline.Builder client(Behind behind) {
        return Stowline.builder()
                .blobEndpoint(BLOBS)
                .queueEndpoint("https://acct.queue.core.windows.net")
                .tableEndpoint("https://acct.table.core.windows.net")
                .httpClient(
                        request -> request.getHttpMethod() == HttpMethod.HEAD ? found(request) : sent(behind, request))
                .listener(MicrometerListener.of(observations, meters))
                .retry(retry -> retry.retries(0)
                        .minAttempt(Duration.ofMillis(10))
                        .reserve(Duration.ZERO)
                        .deadline(Duration.ofMillis(150)));
    }

    /** Sources of copies are there, so that the requests for copies are sent. */
    private static Mono<HttpResponse> found(HttpRequest request) {
        HttpHeaders headers = new HttpHeaders()
                .set(HttpHeaderName.ETAG, "\"1\"")
                .set(HttpHeaderName.CONTENT_LENGTH, "3")
                .set(HttpHeaderName.LAST_MODIFIED, "Thu, 29 Feb 2024 12:00:00 GMT")
                .set(HttpHeaderName.fromString("x-ms-blob-type"), "BlockBlob")
                .set(HttpHeaderName.fromString("x-ms-request-id"), "6ca9");
        return Mono.just(new BufferedResponse(request, 200, headers, new byte[0]));
    }

    private Mono<HttpResponse> sent(Behind behind, HttpRequest request) {
        String source = request.getHeaders().getValue(HttpHeaderName.fromString("x-ms-copy-source"));
        if (source != null) {
            String encoded = source.replaceFirst(".*[?&]sig=", "");
            secrets.add(encoded);
            secrets.add(URLDecoder.decode(encoded, StandardCharsets.UTF_8));
            copies.incrementAndGet();
        }
        String token = request.getHeaders().getValue(HttpHeaderName.fromString("x-ms-copy-source-authorization"));
        if (token != null) {
            secrets.add(token);
            tokens.incrementAndGet();
        }
        return behind.response(request);
    }

    private void failed(Runnable call) {
        try {
            call.run();
        } catch (Throwable thrown) {
            failures++;
            StringWriter trace = new StringWriter();
            thrown.printStackTrace(new PrintWriter(trace));
            shown.add(trace.toString());
            if (thrown instanceof StorageException refused) {
                shown.add(refused.failure().toString());
            }
        }
    }

    private void use(Stowline storage, URI readable) {
        BlobContainer photos = storage.container("photos");
        failed(() -> photos.download("a.jpg"));
        failed(() -> photos.downloadTo("a.jpg", folder.resolve("a.jpg")));
        failed(() -> photos.find("a.jpg"));
        failed(() -> photos.upload(new byte[3], "a.jpg", with -> with.overwrite()));
        failed(() -> photos.stream().forEach(blob -> {}));
        failed(() -> photos.copyFrom(readable, "b.jpg"));
        failed(() -> photos.copyFrom(photos, "a.jpg", "b.jpg"));
        failed(() -> photos.policies().set("readers", with -> with.canRead()));
        failed(() -> storage.queue("orders").send("text"));
        failed(() ->
                storage.table("people").insertOrReplace(Entity.builder("p", "r").build()));
    }

    @ParameterizedTest
    @DisplayName("ACCESS-1: no signature that is made here is shown where it is used")
    @EnumSource(Behind.class)
    void signaturesInUse(Behind behind) {
        observations.observationConfig().observationHandler(new ShownObservations());
        try (Stowline owner = client(behind)
                .credential(new AzureNamedKeyCredential("acct", KEY))
                .build()) {
            List<SharedAccessSignature> made = List.of(
                    kept(owner.container("photos")
                            .sas("a.jpg")
                            .canRead()
                            .canWrite()
                            .sign()),
                    kept(owner.container("photos").sas().canRead().canList().sign()),
                    kept(owner.container("photos").sas().byPolicy("readers").sign()),
                    kept(owner.queue("orders").sas().canSend().sign()),
                    kept(owner.table("people").sas().canUpsert().sign()),
                    kept(owner.sas().blobs().objects().canRead().sign()));
            URI readable = made.get(0).uri();
            use(owner, readable);
            for (SharedAccessSignature signature : made) {
                try (Stowline receiver = client(behind)
                        .credential(new AzureSasCredential(signature.token()))
                        .build()) {
                    use(receiver, readable);
                }
            }
        }
        meters.getMeters().forEach(meter -> shown.add(meter.getId().toString()));
        shown.add(log.text());

        assertThat(failures).as("calls that failed, of 70").isGreaterThan(50);
        assertThat(copies).as("requests for copies").hasPositiveValue();
        assertThat(log.text()).contains("photos");
        assertThat(shown).hasSizeGreaterThan(100).allSatisfy(text -> assertThat(text)
                .doesNotContain(secrets)
                .doesNotContain(KEY)
                .doesNotContainPattern("sig=(?!\\*{3}|…)")
                .doesNotContainPattern("SharedKey acct:(?!\\*{3})"));
    }

    @ParameterizedTest
    @DisplayName("COPY-3: the token for the source of a copy is sent beside its address, and shown nowhere")
    @EnumSource(Behind.class)
    void tokenOfASource(Behind behind) {
        observations.observationConfig().observationHandler(new ShownObservations());
        AccessToken token =
                new AccessToken("TOPSECRET", OffsetDateTime.now(ZoneOffset.UTC).plusDays(1));
        try (Stowline owner = client(behind)
                .credential((TokenCredential) request -> Mono.just(token))
                .build()) {
            BlobContainer photos = owner.container("photos");
            failed(() -> photos.copyFrom(photos, "a.jpg", "b.jpg"));
            failed(() -> photos.copyFrom(photos, "a.jpg", "c.jpg", with -> with.blockSize(1)));
            failed(() ->
                    photos.snapshotOf("a.jpg", "2026-05-01T10:20:30.1234567Z").promote());
            failed(() -> photos.copyDirectory("a/", photos, "b/", with -> with).join());
        }
        meters.getMeters().forEach(meter -> shown.add(meter.getId().toString()));
        shown.add(log.text());

        assertThat(tokens).as("requests with a token for a source").hasPositiveValue();
        assertThat(secrets).contains("Bearer TOPSECRET");
        assertThat(shown).isNotEmpty().allSatisfy(text -> assertThat(text).doesNotContain("TOPSECRET"));
    }
}
