package io.stowline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.credential.AzureSasCredential;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.storage.blob.BlobAsyncClient;
import io.stowline.EveryVerb.Verb;
import io.stowline.blob.BlobContainer;
import io.stowline.error.BadRequestException;
import io.stowline.error.StorageException;
import io.stowline.queue.MessageQueue;
import io.stowline.table.Table;
import io.stowline.testkit.memory.MemoryStorage;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Each form of an endpoint with each verb: the address and the service version of what is sent. */
class EndpointFormsTest {

    private static final List<String> SERVICES = List.of("table", "queue", "blob");

    @TempDir
    private Path folder;

    private final MemoryStorage memory = MemoryStorage.create();
    private final List<Sent> sent = new CopyOnWriteArrayList<>();
    private final List<String> wrong = new CopyOnWriteArrayList<>();

    private record Sent(String url, String version) {}

    /** The root of a service, in a form with the service in place of an asterisk. */
    private static String root(String form, String service) {
        return form.replace("*", service);
    }

    private Stowline client(String form, String sentTo, UnaryOperator<Stowline.Builder> more) {
        Stowline.Builder builder = Stowline.builder()
                .tableEndpoint(root(form, "table"))
                .queueEndpoint(root(form, "queue"))
                .blobEndpoint(root(form, "blob"))
                .accountName("acct")
                .credential(new AzureNamedKeyCredential("acct", "a2V5"))
                .retry(retry -> retry.retries(0))
                .httpClient(request -> carriedOut(request, sentTo));
        return more.apply(builder).build();
    }

    /** Carried out by the storage in memory, which knows its own addresses only. */
    private Mono<HttpResponse> carriedOut(HttpRequest request, String form) {
        String url = request.getUrl().toString();
        sent.add(new Sent(url, request.getHeaders().getValue(HttpHeaderName.fromString("x-ms-version"))));
        for (String service : SERVICES) {
            String root = root(form, service);
            String rest = url.startsWith(root + "/") ? url.substring(root.length()) : "//";
            if (!rest.startsWith("//")) {
                HttpRequest own = request.copy().setUrl("https://memory." + service + ".test" + rest);
                return memory.httpClient().send(own);
            }
        }
        wrong.add(request.getHttpMethod() + " " + url);
        return Mono.error(new IllegalStateException("sent to another address"));
    }

    private Map<String, Verb> verbs(String service, Stowline storage) {
        return switch (service) {
            case "table" -> EveryVerb.ofTables(storage);
            case "queue" -> EveryVerb.ofQueues(storage);
            default -> EveryVerb.ofBlobs(storage, folder);
        };
    }

    private void callAll(Stowline storage) {
        for (String service : SERVICES) {
            verbs(service, storage).forEach((name, verb) -> {
                int before = sent.size();
                try {
                    EveryVerb.run(verb);
                } catch (StorageException e) {
                    // The storage in memory does not know all of them; what counts is what was sent.
                } catch (RuntimeException e) {
                    wrong.add(service + " " + name + ": " + e);
                }
                if (sent.size() == before) {
                    wrong.add(service + " " + name + " sent nothing");
                }
            });
        }
        assertThat(wrong).isEmpty();
    }

    @ParameterizedTest
    @DisplayName("every verb is sent below the endpoint, whatever its form, and with one service version")
    @CsvSource({
        "https://acct.*.core.windows.net, ",
        "https://acct.*.core.windows.net/, https://acct.*.core.windows.net",
        "https://acct.*.core.windows.net:443/, https://acct.*.core.windows.net",
        "http://acct.*.core.windows.net:80, http://acct.*.core.windows.net",
        "https://acct.*.core.windows.net:8443, ",
        "https://acct.*.local.azurestack.external, ",
        "https://*.corp.example, ",
        "https://*.corp.example:8443/, https://*.corp.example:8443",
        "https://gate.corp.example/*, ",
        "https://gate.corp.example/storage/acct/*/, https://gate.corp.example/storage/acct/*",
        "https://gate.corp.example:8443/storage/*, ",
        "http://127.0.0.1:10000/*, ",
        "http://10.1.2.3/*, ",
        "http://localhost:7/*, ",
        "http://acct.*.localhost:10000, ",
        "http://my_azurite_*:10000/acct, ",
        "http://[::1]:22000/*, ",
        "https://[2001:db8::7]/*, ",
        "https://[2001:DB8::7]:8443/*, https://[2001:db8::7]:8443/*",
        "https://*.b\u00fccher.example, https://*.xn--bcher-kva.example"
    })
    void everyVerb(String form, String sentTo) {
        try (Stowline storage = client(form, sentTo == null ? form : sentTo, builder -> builder)) {
            callAll(storage);
        }

        assertThat(sent).extracting(Sent::version).containsOnly("2022-11-02");
    }

    @ParameterizedTest
    @DisplayName("the service version is the one that is set, in every request of every verb")
    @ValueSource(strings = {"2021-12-02", "2025-11-05", "2026-06-06", "2099-01-01"})
    void serviceVersion(String version) {
        String form = "https://acct.*.core.windows.net";
        try (Stowline storage = client(form, form, builder -> builder.serviceVersion(version))) {
            callAll(storage);
        }

        assertThat(sent).extracting(Sent::version).containsOnly(version);
    }

    @Test
    @DisplayName("the list has every public method of the blocking faces")
    void noVerbIsMissing() {
        try (Stowline storage = client("https://acct.*.core.windows.net", "", builder -> builder)) {
            assertThat(missing(Table.class, EveryVerb.ofTables(storage)))
                    .as("methods that EveryVerb does not call")
                    .isEmpty();
            assertThat(missing(MessageQueue.class, EveryVerb.ofQueues(storage))).isEmpty();
            assertThat(missing(BlobContainer.class, EveryVerb.ofBlobs(storage, folder)))
                    .isEmpty();
        }
    }

    private static TreeSet<String> missing(Class<?> face, Map<String, Verb> verbs) {
        TreeSet<String> missing = new TreeSet<>();
        for (Method method : face.getDeclaredMethods()) {
            if (Modifier.isPublic(method.getModifiers())
                    && !method.isSynthetic()
                    && !EveryVerb.SILENT.contains(method.getName())
                    && !verbs.containsKey(method.getName())) {
                missing.add(method.getName());
            }
        }
        return missing;
    }

    @ParameterizedTest
    @DisplayName("requests of the unwrapped SDK client go to the endpoint, too")
    @CsvSource({
        "https://acct.*.core.windows.net, https://acct.blob.core.windows.net/photos/a%2Fb",
        "http://127.0.0.1:10000/*, http://127.0.0.1:10000/blob/photos/a%2Fb",
        "http://[::1]:10000/*, http://acct.blob.stowline.invalid/photos/a%2Fb",
        "https://gate.corp.example/storage/*, https://acct.blob.stowline.invalid/photos/a%2Fb"
    })
    void unwrapped(String form, String shown) {
        try (Stowline storage = client(form, form, builder -> builder)) {
            BlobContainer photos = storage.container("photos");
            photos.create();
            photos.upload(new byte[3], "a/b");
            BlobAsyncClient blob = photos.unwrap().getBlobAsyncClient("a/b");
            storage.queue("orders").create();

            assertThat(blob.getBlobUrl()).isEqualTo(shown);
            assertThat(blob.getProperties().block().getBlobSize()).isEqualTo(3);
            assertThat(storage.queue("orders").unwrap().getProperties().block().getApproximateMessagesCountLong())
                    .isZero();
        }

        assertThat(wrong).isEmpty();
        assertThat(sent).extracting(Sent::version).containsOnly("2022-11-02");
    }

    @ParameterizedTest
    @DisplayName("a read that fails at the primary goes to the same address below the secondary")
    @CsvSource({
        "https://gate.corp.example/storage/*, https://copy.corp.example:8443/a/*",
        "http://[::1]:10000/*, http://[::1]:10000/*-secondary",
        "http://my_azurite:10000/*, http://my_copy:10000/*",
        "https://acct.*.core.windows.net, https://acct-secondary.*.core.windows.net"
    })
    void secondary(String form, String copies) {
        StringBuilder text = new StringBuilder("AccountName=acct;AccountKey=a2V5");
        for (String service : SERVICES) {
            String setting = Character.toUpperCase(service.charAt(0)) + service.substring(1);
            text.append(';').append(setting).append("Endpoint=").append(root(form, service));
            text.append(';').append(setting).append("SecondaryEndpoint=").append(root(copies, service));
        }
        try (Stowline storage = Stowline.builder()
                .connectionString(text.toString())
                .readFrom(ReadFrom.SECONDARY_AFTER_PRIMARY)
                .retry(retry -> retry.retries(1))
                .httpClient(request -> SERVICES.stream()
                                .anyMatch(
                                        service -> request.getUrl().toString().startsWith(root(copies, service) + "/"))
                        ? carriedOut(request, copies)
                        : Mono.just(SimulatedConnection.response(request, 503, new HttpHeaders(), new byte[0])))
                .build()) {
            assertThat(List.<Verb>of(
                            () -> storage.table("people").find("p q", "r"),
                            () -> storage.queue("orders").info(),
                            () -> storage.container("photos").info("a/b c"),
                            () -> storage.container("photos").stream().forEach(each -> {})))
                    .allSatisfy(verb ->
                            assertThatExceptionOfType(StorageException.class).isThrownBy(() -> EveryVerb.run(verb)));
        }

        assertThat(wrong).isEmpty();
        assertThat(sent)
                .extracting(request -> request.url().replaceAll("[?&](timeout|include)=.*", ""))
                .contains(
                        root(copies, "table") + "/people(PartitionKey='p%20q',RowKey='r')",
                        root(copies, "queue") + "/orders?comp=metadata",
                        root(copies, "blob") + "/photos/a%2Fb%20c",
                        root(copies, "blob") + "/photos?restype=container&comp=list");
    }

    @Test
    @DisplayName("a shared access signature stands behind the whole address")
    void signature() {
        String form = "https://gate.corp.example:8443/storage/*";
        try (Stowline storage = Stowline.builder()
                .tableEndpoint(root(form, "table"))
                .queueEndpoint(root(form, "queue"))
                .blobEndpoint(root(form, "blob"))
                .accountName("acct")
                .credential(new AzureSasCredential("sv=2024-11-04&sig=x"))
                .retry(retry -> retry.retries(0))
                .httpClient(request -> carriedOut(request, form))
                .build()) {
            callAll(storage);
        }

        assertThat(sent).isNotEmpty().allSatisfy(request -> assertThat(request.url())
                .endsWith("sv=2024-11-04&sig=x"));
    }

    @ParameterizedTest
    @DisplayName("a service that does not speak the version is named with the setting that helps")
    @ValueSource(
            strings = {
                "<?xml version='1.0'?><Error><Code>InvalidHeaderValue</Code><Message>The value for one of the HTTP"
                        + " headers is not in the correct format.\nRequestId:b2376dd2-60f4-0161-73ad-fb71396acb9d\n"
                        + "Time:2022-10-18T12:21:30.4633357Z</Message><HeaderName>x-ms-version</HeaderName>"
                        + "<HeaderValue>2022-11-02</HeaderValue></Error>",
                "<?xml version='1.0'?><Error><Code>InvalidHeaderValue</Code><Message>The API version 2022-11-02 is not"
                        + " supported by Azurite. RequestId:b2376dd2-60f4-0161-73ad-fb71396acb9d</Message></Error>",
                "{\"odata.error\":{\"code\":\"InvalidHeaderValue\",\"message\":{\"lang\":\"en-US\",\"value\":\"The API"
                        + " version 2022-11-02 is not supported by Azurite.\\nRequestId:"
                        + "b2376dd2-60f4-0161-73ad-fb71396acb9d\\nTime:2022\"}}}"
            })
    void unknownVersion(String body) {
        try (Stowline storage = Stowline.builder()
                .connectionString("AccountName=acct;AccountKey=a2V5")
                .httpClient(request -> Mono.just(SimulatedConnection.response(
                        request, 400, new HttpHeaders(), body.getBytes(StandardCharsets.UTF_8))))
                .build()) {
            assertThat(List.<Verb>of(
                            () -> storage.table("people").find("p", "r"),
                            () -> storage.queue("orders").send("one"),
                            () -> storage.queue("orders").create(),
                            () -> storage.container("photos").upload(new byte[1], "a"),
                            () -> storage.container("photos").create()))
                    .allSatisfy(verb -> assertThatExceptionOfType(BadRequestException.class)
                            .isThrownBy(() -> EveryVerb.run(verb))
                            .withMessageContaining("the client sends x-ms-version 2022-11-02: set serviceVersion of the"
                                    + " client to a version that this service supports")
                            .satisfies(e -> assertThat(e.failure().requestId())
                                    .isEqualTo("b2376dd2-60f4-0161-73ad-fb71396acb9d")));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2017-11-08, not 2017-11-08",
        "2022-11-31, not a text of another form",
        "2022-11-02T00, not a text of another form",
        "latest, not a text of another form"
    })
    void refusedVersion(String version, String shown) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Stowline.builder().serviceVersion(version))
                .withMessage("serviceVersion is the date of a version of the storage services from 2017-11-09 on, such"
                        + " as 2022-11-02, " + shown);
    }

    @Test
    @DisplayName("what an older version does not have is refused by the name of the setting")
    void featureOfANewerVersion() {
        String form = "https://acct.*.core.windows.net";
        try (Stowline storage = client(form, form, builder -> builder.serviceVersion("2018-11-09"))) {
            BlobContainer photos = storage.container("photos");
            var cold = com.azure.storage.blob.models.AccessTier.COLD;

            assertThat(List.<Verb>of(
                            () -> photos.setTier("a", cold),
                            () -> photos.setTierOfAll(List.of("a"), cold),
                            () -> photos.upload(new byte[1], "a", o -> o.tier(cold))))
                    .allSatisfy(verb -> assertThatIllegalArgumentException()
                            .isThrownBy(() -> EveryVerb.run(verb))
                            .withMessage(
                                    "the access tier Cold needs serviceVersion 2021-12-02 or newer, but this client"
                                            + " is set to 2018-11-09"));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> photos.appendBlob("log").append(new byte[(4 << 20) + 1]))
                    .withMessageStartingWith("an append of more than 4 MiB (4194305 bytes) needs serviceVersion 2022");
            assertThat(photos.appendBlob("log").maxAppend()).isEqualTo(4 << 20);
            assertThat(sent).isEmpty();
            // One that the SDK does not know is sent by its clients, too.
            storage.table("people").create();
            storage.queue("orders").create();
            photos.create();
            photos.upload(new byte[1], "a");
            photos.unwrap().getBlobAsyncClient("a").getProperties().block();
            assertThat(sent).hasSize(5).extracting(Sent::version).containsOnly("2018-11-09");
        }
    }
}
