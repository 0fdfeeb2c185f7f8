package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.credential.AzureSasCredential;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.sas.TableSasIpRange;
import com.azure.data.tables.sas.TableSasPermission;
import com.azure.data.tables.sas.TableSasProtocol;
import com.azure.data.tables.sas.TableSasSignatureValues;
import io.stowline.Stowline;
import io.stowline.access.BlobSasBuilder;
import io.stowline.access.BlobServiceSasBuilder;
import io.stowline.access.QueueSasBuilder;
import io.stowline.access.SharedAccessSignature;
import io.stowline.access.TableSasBuilder;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobRevision;
import io.stowline.error.AuthenticationException;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.table.Entity;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** ACCESS-1: signatures in use, against a service that checks them: what is allowed works, and the rest is refused. */
@Timeout(120)
@DisplayName("ACCESS-1: what a signature names works, and the rest is refused")
class SignaturesIT extends StorageTest {

    private final String suffix = UUID.randomUUID().toString().replace("-", "");
    private Table<Entity> runners;
    private MessageQueue<String> orders;
    private BlobContainer photos;

    @BeforeEach
    void make() {
        runners = storage.table("Runners" + suffix);
        runners.create();
        orders = storage.queue("orders" + suffix);
        orders.create();
        photos = storage.container("photos" + suffix);
        photos.create();
    }

    @AfterEach
    void drop() {
        orders.dropIfExists();
        runners.dropIfExists();
        photos.dropIfExists();
    }

    private Stowline opened(SharedAccessSignature signature) {
        Map<String, URI> endpoints = storage.endpoints();
        return Stowline.builder()
                .tableEndpoint(endpoints.get("table").toString())
                .queueEndpoint(endpoints.get("queue").toString())
                .blobEndpoint(endpoints.get("blob").toString())
                .credential(new AzureSasCredential(signature.token()))
                .build();
    }

    private static void allowsOnly(String allowed, Map<String, ThrowingCallable> operations) {
        operations.forEach((name, operation) -> {
            if (name.equals(allowed)) {
                assertThatNoException().as(name).isThrownBy(operation);
            } else {
                assertThat(catchThrowable(operation))
                        .as("%s, where only %s is allowed", name, allowed)
                        .isInstanceOf(AuthenticationException.class);
            }
        });
    }

    @Test
    void ofAQueueAllowWhatTheyName() {
        Map<String, UnaryOperator<QueueSasBuilder<SharedAccessSignature>>> permissions = Map.of(
                "peek", QueueSasBuilder::canPeek,
                "send", QueueSasBuilder::canSend,
                "receive", QueueSasBuilder::canReceive,
                "update", QueueSasBuilder::canUpdate);
        permissions.forEach((name, permission) -> {
            orders.send("first");
            ReceivedMessage<String> held = orders.receive(1).get(0);
            orders.send("second");
            try (Stowline other = opened(permission.apply(orders.sas()).sign())) {
                MessageQueue<String> theirs = other.queue(orders.name());
                Map<String, ThrowingCallable> operations = new LinkedHashMap<>();
                operations.put("peek", () -> theirs.peek(1));
                operations.put("send", () -> theirs.send("third"));
                operations.put("update", () -> theirs.update(held, Duration.ofSeconds(30)));
                operations.put("receive", () -> theirs.receive(1));
                allowsOnly(name, operations);
            }
            orders.clear();
        });
    }

    @Test
    void ofATableAllowWhatTheyName() {
        Map<String, UnaryOperator<TableSasBuilder<SharedAccessSignature>>> permissions = Map.of(
                "query", TableSasBuilder::canQuery,
                "insert", TableSasBuilder::canInsert,
                "update", TableSasBuilder::canUpdate,
                "delete", TableSasBuilder::canDelete);
        permissions.forEach((name, permission) -> {
            runners.insertOrReplace(Entity.builder("p", "present").build());
            StoredEntity<Entity> present = runners.find("p", "present").orElseThrow();
            try (Stowline other = opened(permission.apply(runners.sas()).sign())) {
                Table<Entity> theirs = other.table(runners.name());
                Map<String, ThrowingCallable> operations = new LinkedHashMap<>();
                operations.put("query", () -> theirs.query().partition("p").list());
                operations.put(
                        "insert", () -> theirs.insert(Entity.builder("p", name).build()));
                operations.put("update", () -> theirs.replace(present));
                operations.put("delete", () -> theirs.delete("p", "present"));
                allowsOnly(name, operations);
            }
        });
    }

    @Test
    void ofABlobAllowWhatTheyName() {
        photos.upload(bytes("present"), "present");
        Map<String, UnaryOperator<BlobSasBuilder<SharedAccessSignature>>> permissions = Map.of(
                "read", BlobServiceSasBuilder::canRead,
                "create", BlobServiceSasBuilder::canCreate,
                "delete", BlobServiceSasBuilder::canDelete,
                "tag", BlobServiceSasBuilder::canTag);
        permissions.forEach((name, permission) -> {
            SharedAccessSignature present =
                    permission.apply(photos.sas("present")).sign();
            SharedAccessSignature absent =
                    permission.apply(photos.sas("new " + name)).sign();
            try (Stowline ofPresent = opened(present);
                    Stowline ofAbsent = opened(absent)) {
                BlobContainer theirs = ofPresent.container(photos.name());
                Map<String, ThrowingCallable> operations = new LinkedHashMap<>();
                operations.put("read", () -> theirs.download("present"));
                operations.put("create", () -> ofAbsent.container(photos.name()).upload(bytes("made"), "new " + name));
                operations.put("tag", () -> theirs.tags("present"));
                operations.put("delete", () -> theirs.delete("present"));
                allowsOnly(name, operations);
            }
            photos.upload(bytes("present"), "present", with -> with.overwrite());
        });
    }

    @Test
    void ofAContainerOpenAllItsBlobs() {
        photos.upload(bytes("1"), "a");
        photos.upload(bytes("2"), "b");
        try (Stowline other = opened(photos.sas().canRead().canList().sign())) {
            BlobContainer theirs = other.container(photos.name());

            assertThat(theirs.stream().toList()).extracting(BlobInfo::name).containsExactly("a", "b");
            assertThat(theirs.download("b")).isEqualTo(bytes("2"));
            assertThat(catchThrowable(() -> theirs.upload(bytes("3"), "c")))
                    .isInstanceOf(AuthenticationException.class);
        }
    }

    @Test
    void ofASnapshotOpenItAlone() throws Exception {
        photos.upload(bytes("before"), "a");
        BlobRevision before = photos.snapshot("a");
        photos.upload(bytes("after"), "a", with -> with.overwrite());

        HttpResponse<byte[]> response = get(before.sas().canRead().sign().uri());

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(bytes("before"));
        assertThat(get(URI.create(photos.sas("a").canRead().sign().resource() + "?"
                                + before.sas().canRead().sign().token()))
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void carryTheHeadersOfTheirResponses() throws Exception {
        photos.upload(bytes("%PDF"), "report 1.pdf");

        HttpResponse<byte[]> response = get(photos.sas("report 1.pdf")
                .canRead()
                .servedWithContentType("application/pdf")
                .servedWithContentDisposition("attachment; filename=\"report.pdf\"")
                .servedWithCacheControl("no-store")
                .sign()
                .uri());

        assertThat(response.body()).isEqualTo(bytes("%PDF"));
        assertThat(response.headers().firstValue("Content-Type")).contains("application/pdf");
        assertThat(response.headers().firstValue("Content-Disposition"))
                .contains("attachment; filename=\"report.pdf\"");
        assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
    }

    private static HttpResponse<byte[]> get(URI uri) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void ofAnAccountOpenServicesAndLevelsByName() {
        runners.insert(Entity.builder("p", "r").build());
        SharedAccessSignature objects =
                storage.sas().tables().objects().canRead().canList().sign();
        SharedAccessSignature containers =
                storage.sas().queues().containers().canCreate().canWrite().sign();
        try (Stowline other = opened(objects);
                Stowline making = opened(containers)) {
            assertThat(other.table(runners.name()).find("p", "r")).isPresent();
            assertThat(catchThrowable(() -> other.queue(orders.name()).peek(1)))
                    .isInstanceOf(AuthenticationException.class);
            assertThat(catchThrowable(() -> other.table(runners.name())
                            .insert(Entity.builder("p", "other").build())))
                    .isInstanceOf(AuthenticationException.class);

            assertThat(making.queue("made" + suffix).createIfMissing()).isTrue();
            assertThat(catchThrowable(() -> making.queue(orders.name()).send("no")))
                    .isInstanceOf(AuthenticationException.class);
        } finally {
            storage.queue("made" + suffix).dropIfExists();
        }
    }

    @Test
    void thatHaveNotBegunAreRefused() {
        SharedAccessSignature tomorrow = orders.sas()
                .canPeek()
                .startingAt(Instant.now().plus(Duration.ofDays(1)))
                .until(Instant.now().plus(Duration.ofDays(2)))
                .sign();
        try (Stowline other = opened(tomorrow)) {
            assertThat(catchThrowable(() -> other.queue(orders.name()).peek(1)))
                    .isInstanceOf(AuthenticationException.class)
                    .extracting(Throwable::toString)
                    .asString()
                    .doesNotContain(tomorrow.token());
        }
    }

    @Test
    void ofTheReactiveFacesAreTheSame() {
        Instant end = Instant.parse("2999-01-01T00:00:00Z");

        assertThat(photos.reactive().sas().canRead().until(end).sign().block().token())
                .isEqualTo(photos.sas().canRead().until(end).sign().token());
        assertThat(photos.reactive()
                        .sas("a")
                        .canRead()
                        .until(end)
                        .sign()
                        .block()
                        .token())
                .isEqualTo(photos.sas("a").canRead().until(end).sign().token());
        assertThat(orders.reactive().sas().canPeek().until(end).sign().block().token())
                .isEqualTo(orders.sas().canPeek().until(end).sign().token());
        assertThat(runners.reactive().sas().canQuery().until(end).sign().block().token())
                .isEqualTo(runners.sas().canQuery().until(end).sign().token());
        assertThat(storage.reactive()
                        .sas()
                        .tables()
                        .objects()
                        .canRead()
                        .until(end)
                        .sign()
                        .block()
                        .token())
                .isEqualTo(storage.sas()
                        .tables()
                        .objects()
                        .canRead()
                        .until(end)
                        .sign()
                        .token());
    }

    /** The tables' SDK signs by one old version. */
    @Test
    void ofATableEqualThoseOfTheSdk() {
        Instant end = Instant.parse("2999-01-01T00:00:00Z");
        Instant start = Instant.parse("2998-01-01T00:00:00Z");
        String key = "c3Rvd2xpbmUtdGVzdC1rZXk=";
        TableSasSignatureValues values = new TableSasSignatureValues(
                        end.atOffset(ZoneOffset.UTC), TableSasPermission.parse("raud"))
                .setStartTime(start.atOffset(ZoneOffset.UTC))
                .setProtocol(TableSasProtocol.HTTPS_ONLY)
                .setSasIpRange(TableSasIpRange.parse("10.0.0.1-10.0.0.9"))
                .setStartPartitionKey("a")
                .setStartRowKey("1")
                .setEndPartitionKey("b")
                .setEndRowKey("2 é");
        Map<String, String> expected = parameters(new TableClientBuilder()
                .endpoint("https://acct.table.core.windows.net")
                .credential(new AzureNamedKeyCredential("acct", key))
                .tableName("Runners")
                .buildClient()
                .generateSas(values));
        try (Stowline client = Stowline.builder()
                .connectionString("AccountName=acct;AccountKey=" + key + ";EndpointSuffix=core.windows.net")
                .serviceVersion(expected.get("sv"))
                .build()) {
            assertThat(parameters(client.table("Runners")
                            .sas()
                            .canDelete()
                            .canUpsert()
                            .canQuery()
                            .startingAt(start)
                            .until(end)
                            .onlyFrom("10.0.0.1", "10.0.0.9")
                            .entities("a", "1", "b", "2 é")
                            .sign()
                            .token()))
                    .isEqualTo(expected);
        }
    }

    private static Map<String, String> parameters(String token) {
        Map<String, String> parameters = new TreeMap<>();
        for (String parameter : token.split("&", -1)) {
            int value = parameter.indexOf('=');
            parameters.put(
                    parameter.substring(0, value),
                    URLDecoder.decode(parameter.substring(value + 1), StandardCharsets.UTF_8));
        }
        return parameters;
    }
}
