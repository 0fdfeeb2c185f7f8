package io.stowline.system;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.tuple;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobClientBuilder;
import io.stowline.Stowline;
import io.stowline.access.AccessPolicy;
import io.stowline.blob.AppendBlob;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobCopy;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobTree;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.ThrottledException;
import io.stowline.outcome.WriteOutcome;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.retry.Backoff;
import io.stowline.service.ServiceType;
import io.stowline.service.SoftDelete;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The account in memory passes the tests of tables, queries and filters that Azurite passes. */
class MemoryStorageIT {

    private static Stowline inMemory(MemoryStorage memory) {
        return Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .retry(retry ->
                        retry.backoff(Backoff.fixed(Duration.ofMillis(1))).retries(2))
                .build();
    }

    @Nested
    @DisplayName("the tests of tables")
    class Tables extends TableIT {
        @Override
        protected Stowline connected() {
            return inMemory(MemoryStorage.create());
        }
    }

    @Nested
    @DisplayName("the tests of queries")
    class Queries extends QueryIT {
        @Override
        protected Stowline connected() {
            return inMemory(MemoryStorage.create());
        }
    }

    @Nested
    @DisplayName("the tests of filters")
    class Filters extends FilterIT {
        @Override
        protected Stowline connected() {
            return inMemory(MemoryStorage.create());
        }
    }

    private final MovedClock clock = new MovedClock();
    private final MemoryStorage memory = MemoryStorage.create(clock);
    private final Stowline storage = inMemory(memory);

    @AfterEach
    void close() {
        storage.close();
    }

    private Table<Entity> people() {
        Table<Entity> people = storage.table("people");
        people.create();
        return people;
    }

    private static Entity person(String row) {
        return Entity.builder("p", row).set("Age", 17).build();
    }

    @Test
    void leasesEndByTheClockOfTheTest() {
        MessageQueue<String> orders = storage.queue("orders");
        orders.create();
        orders.send("one");
        ReceivedMessage<String> first = orders.receive().orElseThrow();
        assertThat(orders.receive()).isEmpty();
        clock.pass(Duration.ofSeconds(31));
        ReceivedMessage<String> second = orders.receive().orElseThrow();

        assertThat(second.dequeueCount()).isEqualTo(2);
        assertThat(second.body()).isEqualTo("one");
        assertThatExceptionOfType(PreconditionFailedException.class).isThrownBy(() -> orders.delete(first));
        ReceivedMessage<String> renewed = orders.update(second, "two", Duration.ZERO);
        assertThat(orders.peek(32)).singleElement().satisfies(seen -> assertThat(seen.body())
                .isEqualTo("two"));
        orders.delete(renewed);
        assertThat(orders.approximateCount()).isZero();
    }

    @Test
    void messagesExpire() {
        MessageQueue<String> orders = storage.queue("orders");
        orders.create();
        orders.send("later", send -> send.delay(Duration.ofMinutes(1)));
        orders.send("short", send -> send.timeToLive(Duration.ofSeconds(5)));
        clock.pass(Duration.ofSeconds(6));
        assertThat(orders.receive()).isEmpty();
        clock.pass(Duration.ofMinutes(1));
        assertThat(orders.receive().orElseThrow().body()).isEqualTo("later");
    }

    @Test
    void keepsBlobsWithConditionsAndRanges() {
        BlobContainer photos = storage.container("photos");
        photos.create();
        photos.upload("0123456789".getBytes(UTF_8), "a/b.txt");
        BlobInfo first = photos.info("a/b.txt");
        photos.upload("other".getBytes(UTF_8), "a/c.txt");
        photos.upload("new".getBytes(UTF_8), "d.txt");

        assertThat(photos.download("a/b.txt")).asString(UTF_8).isEqualTo("0123456789");
        assertThat(photos.entries("", "/")).extracting(BlobTree.Entry::name).containsExactlyInAnyOrder("a/", "d.txt");
        photos.setMetadata("a/b.txt", Map.of("owner", "me"));
        assertThat(photos.info("a/b.txt").metadata()).containsEntry("owner", "me");
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> photos.delete("a/b.txt", first.etag()));
        photos.delete("a/b.txt");
        assertThat(photos.find("a/b.txt")).isEmpty();
        AppendBlob log = photos.appendBlob("log");
        log.createIfMissing();
        log.append("one".getBytes(UTF_8));
        assertThat(log.append("two".getBytes(UTF_8)).offset()).isEqualTo(3);
        assertThat(photos.download("log")).asString(UTF_8).isEqualTo("onetwo");
    }

    @Test
    void aTransactionIsWholeOrNothing() {
        Table<Entity> people = people();
        people.insert(person("2"));

        assertThatExceptionOfType(io.stowline.error.StorageException.class)
                .isThrownBy(() -> people.transaction("p")
                        .insert(person("1"))
                        .insert(person("2"))
                        .commit())
                .withMessageContaining("EntityAlreadyExists");
        assertThat(people.find("p", "1")).isEmpty();
        people.transaction("p").insert(person("1")).insertOrMerge(person("2")).commit();
        assertThat(people.find("p", "1")).isPresent();
    }

    @Test
    void plannedFaultsAreRetriedAndRecovered() {
        Table<Entity> people = people();
        memory.refuseNext("POST", "/people", 503, "ServerBusy");
        assertThat(people.insert(person("1")).outcome()).isEqualTo(WriteOutcome.CONFIRMED);
        memory.loseNextResponse("POST", "/people");
        assertThat(people.insert(person("2")).outcome()).isEqualTo(WriteOutcome.RECOVERED);
        for (int i = 0; i < 3; i++) {
            memory.refuseNext("GET", "/people", 503, "ServerBusy");
        }

        assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> people.find("p", "1"));
        assertThat(people.find("p", "1")).isPresent();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> memory.refuseNext("GET", "", 200, "OK"))
                .withMessage("status is 400 to 599, not 200");
    }

    @Test
    @DisplayName("ACCESS-3: it keeps the properties of a service that a set leaves out")
    void keepsPropertiesOfServices() {
        storage.cors(ServiceType.QUEUE).set(rule -> rule.allowedOrigins("*").allowedMethods("GET"));
        storage.serviceProperties(ServiceType.BLOB).setSoftDelete(SoftDelete.days(7));

        assertThat(storage.cors(ServiceType.BLOB).rules()).isEmpty();
        assertThat(storage.serviceProperties(ServiceType.BLOB).info().softDelete())
                .isEqualTo(SoftDelete.days(7));
        assertThat(storage.cors(ServiceType.QUEUE).rules()).hasSize(1);
        storage.cors(ServiceType.QUEUE).clear();
        assertThat(storage.cors(ServiceType.QUEUE).rules()).isEmpty();
    }

    @Test
    @DisplayName("ACCESS-3: it keeps the stored access policies that a set leaves out")
    void keepsAccessPolicies() {
        BlobContainer photos = storage.container("photos");
        photos.create();
        MessageQueue<String> orders = storage.queue("orders");
        orders.create();
        Table<Entity> people = people();
        photos.policies().set("a", with -> with.canRead());
        orders.policies().set("a", with -> with.canSend());
        people.policies().set("a", with -> with.canQuery());
        memory.loseNextResponse("PUT", "/photos");
        photos.policies().set("b", with -> with.canList());
        orders.policies().set("b", with -> with.canPeek());
        people.policies().set("b", with -> with.canDelete());

        assertThat(photos.policies().list())
                .extracting(AccessPolicy::id, AccessPolicy::permissions)
                .containsExactly(tuple("a", "r"), tuple("b", "l"));
        assertThat(orders.policies().remove("a")).isTrue();
        assertThat(orders.policies().list()).extracting(AccessPolicy::id).containsExactly("b");
        people.policies().replaceAll(List.of());
        assertThat(people.policies().list()).isEmpty();
    }

    @Test
    @DisplayName("it keeps the newest 10,000 requests")
    void keepsTheNewestRequests() {
        Table<Entity> people = people();
        for (int i = 0; i < 10_001; i++) {
            people.find("p", "1");
        }

        assertThat(memory.requests()).hasSize(10_000).first().asString().startsWith("GET /people");
    }

    @Test
    void tellsTheRequestsAndForgetsAllOnDemand() {
        Table<Entity> people = people();
        people.insert(person("1"));
        assertThat(memory.requests()).hasSize(2).last().asString().startsWith("POST /people");
        memory.clear();
        assertThat(memory.requests()).isEmpty();
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> people.find("p", "1").orElseThrow());
    }

    @Test
    @DisplayName("it is emptied, and its planned faults are removed, while tables, queues and containers stay")
    void isEmptied() {
        Table<Entity> people = people();
        people.insert(person("1"));
        storage.queue("orders").create();
        storage.queue("orders").send("first");
        storage.container("photos").create();
        storage.container("photos").upload(new byte[1], "a");
        memory.refuseNext("GET", "/people", 403, "AuthorizationFailure");
        assertThat(storage.accountName()).isEqualTo(memory.accountName());

        memory.empty();
        assertThat(memory.requests()).isNotEmpty();
        memory.clearFaults();

        assertThat(memory.requests()).isEmpty();
        assertThat(people.find("p", "1")).isEmpty();
        assertThat(storage.queue("orders").receive()).isEmpty();
        assertThat(storage.container("photos").stream()).isEmpty();
        people.insert(person("1"));
    }

    @Test
    void readsEtagsAsMicrosoftsClientsSendThem() throws IOException {
        storage.container("photos").create();
        storage.container("photos").upload(new byte[9 << 20], "big");
        BlobClient sdk = new BlobClientBuilder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .containerName("photos")
                .blobName("big")
                .buildClient();

        assertThat(sdk.openInputStream().readAllBytes()).hasSize(9 << 20);
    }

    @Test
    void copiesBlobs() {
        BlobContainer photos = storage.container("photos");
        photos.create();
        byte[] content = "0123456789".getBytes(UTF_8);
        photos.upload(content, "a b", o -> o.contentType("text/plain").metadata(Map.of("k", "v")));

        photos.copyFrom(photos, "a b", "one");
        photos.copyFrom(photos, "a b", "blocks", o -> o.blockSize(3));
        photos.startCopy(photos, "a b", "started").join();
        for (String copy : List.of("one", "blocks", "started")) {
            assertThat(photos.download(copy)).isEqualTo(content);
            assertThat(photos.info(copy).metadata()).containsExactly(Map.entry("k", "v"));
            assertThat(photos.info(copy).headers().contentType()).isEqualTo("text/plain");
        }
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> photos.copyFrom(photos, "a b", "none", o -> o.sourceIfMatch("\"0x0\"")));
        assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> photos.copyFrom(photos, "a b", "one"));
        assertThat(photos.exists("none")).isFalse();
    }

    @Test
    void keepsCopiesPending() {
        BlobContainer photos = storage.container("photos");
        photos.create();
        photos.upload(new byte[5], "a");
        memory.holdCopies();
        BlobCopy ended = photos.startCopy(photos, "a", "ended");
        BlobCopy aborted = photos.startCopy(photos, "a", "aborted");

        assertThat(ended.progress().bytesTotal()).isEqualTo(5);
        assertThat(ended.join(Duration.ofMillis(1))).isEmpty();
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> photos.upload(new byte[1], "ended", o -> o.overwrite()))
                .withMessageContaining("PendingCopyOperation");
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> photos.pendingCopy("aborted", "other").abort());
        assertThat(aborted.abort()).isTrue();
        assertThat(photos.exists("aborted")).isFalse();
        memory.endCopies("success");
        assertThat(ended.join().size()).isEqualTo(5);

        memory.holdCopies();
        BlobCopy failed = photos.startCopy(photos, "a", "failed");
        memory.endCopies("failed");
        assertThatExceptionOfType(ServerErrorException.class).isThrownBy(failed::join);
        assertThat(photos.exists("failed")).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> memory.endCopies("pending"));
    }

    @Test
    void readsNoSourceOfAnotherAccount() {
        BlobContainer photos = storage.container("photos");
        photos.create();
        photos.upload(new byte[5], "s/a");
        try (Stowline other = inMemory(MemoryStorage.create())) {
            BlobContainer archive = other.container("photos");
            archive.create();
            archive.upload(new byte[1], "s/a");
            assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> archive.copyFrom(photos, "s/a", "t/a"));
            assertThat(photos.copyDirectory("s/", archive, "t/", o -> o).join().copied())
                    .isZero();
            assertThat(archive.download("t/a")).hasSize(5);
        }
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        BlobContainer photos = storage.container("photos");
        photos.create();
        photos.upload("1".getBytes(UTF_8), "a");
        BlobClient sdk = new BlobClientBuilder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .containerName("photos")
                .blobName("a")
                .buildClient();

        assertThatExceptionOfType(HttpResponseException.class)
                .isThrownBy(sdk::createSnapshot)
                .withMessageContaining("501")
                .withMessageContaining("MemoryStorage has no PUT");
        assertThatNullPointerException()
                .isThrownBy(() -> memory.refuseNext(null, "", 503, "ServerBusy"))
                .withMessage("method");
    }

    @Test
    void servesTheClientOfTheSdk() {
        people();
        TableClient sdk = new TableClientBuilder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .tableName("people")
                .buildClient();
        for (int i = 0; i < 3; i++) {
            sdk.createEntity(
                    new TableEntity("p", "row" + i).addProperty("Age", i).addProperty("Count", 5_000_000_000L));
        }
        assertThat(sdk.listEntities(
                        new ListEntitiesOptions().setFilter("Age ge 1 and Count eq 5000000000L"), null, null))
                .extracting(TableEntity::getRowKey)
                .containsExactly("row1", "row2");
        assertThatExceptionOfType(HttpResponseException.class).isThrownBy(() -> sdk.listEntities(
                        new ListEntitiesOptions().setFilter("startswith(RowKey, 'row')"), null, null)
                .iterator()
                .hasNext());
    }

    @Test
    void readsPlusSignsOfQueriesAsSpaces() {
        people();

        assertThat(raw(HttpMethod.GET, "/Tables?$filter=TableName+eq+'people'", ""))
                .contains("people");
        assertThat(raw(HttpMethod.GET, "/Tables?$filter=TableName+eq+'other'", ""))
                .doesNotContain("people");
    }

    @Test
    void keepsIntegersThatNoTypeHoldsAsDoubles() {
        people();
        String big = "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"Big\":18446744073709551616}";

        assertThat(raw(HttpMethod.POST, "/people", big)).contains("\"Big\":1.8446744073709552E19");
    }

    private String raw(HttpMethod method, String target, String body) {
        HttpRequest request = new HttpRequest(method, "https://memory.table.test" + target).setBody(body);
        try (HttpResponse response = memory.httpClient().send(request).block()) {
            return response.getBodyAsString().block();
        }
    }
}
