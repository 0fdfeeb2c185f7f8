package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.error.ThrottledException;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RecordedExchange;
import io.stowline.testkit.RequestMatch;
import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StubResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** The bytes on the wire, seen by the proxy between the client and the emulator. */
class WireIT extends StorageTest {

    private static final Pattern ENTITY_ADDRESS =
            Pattern.compile("\\(PartitionKey='([^']*)',RowKey='([^']*)'\\) HTTP/1.1");
    private static final int MAX_BATCH = 4 * 1024 * 1024;

    private FaultProxy proxy;
    private Table<Runner> runners;

    @BeforeEach
    void makeTable() {
        proxy = proxy();
        runners = freshTable(Runner.class);
        proxy.clear();
    }

    private List<SentRequest> sent(String method) {
        return sent(requests().method(method));
    }

    private List<SentRequest> sent(RequestMatch requests) {
        return proxy.recorded(requests).stream().map(RecordedExchange::request).toList();
    }

    private List<SentRequest> batches() {
        return sent(requests().method("POST").path("**/$batch"));
    }

    private static RequestMatch entityRequests() {
        return requests()
                .when("an entity's address", request -> request.target().contains("RowKey="));
    }

    @Test
    @DisplayName(
            "BATCH-3, BATCH-4, BATCH-6: an EGT holds one partition, no entity twice, at most 100 operations and 4 MiB")
    void groupsOnTheWire() {
        try (TableWriter<Runner> writer = runners.writer(w -> w.linger(Duration.ofMillis(50)))) {
            for (int i = 0; i < 1_500; i++) {
                writer.insertOrReplace(Runner.of("race " + i % 7, i % 400));
            }
        }

        List<SentRequest> batches = batches();
        assertThat(batches).isNotEmpty().allSatisfy(batch -> {
            assertThat(batch.body()).hasSizeLessThan(MAX_BATCH);
            List<MatchResult> addresses =
                    ENTITY_ADDRESS.matcher(batch.text()).results().toList();
            Set<String> partitions = new HashSet<>();
            List<String> rows = new ArrayList<>();
            addresses.forEach(address -> {
                partitions.add(address.group(1));
                rows.add(address.group(2));
            });
            assertThat(partitions).hasSize(1);
            assertThat(rows).hasSizeBetween(2, 100).doesNotHaveDuplicates();
        });
    }

    @Test
    @DisplayName("BATCH-2: a batch of one travels as a plain request")
    void sendsOneAlone() {
        try (TableWriter<Runner> writer = runners.writer()) {
            writer.insertOrReplace(Runner.of("race", 1));
        }

        assertThat(sent("POST")).isEmpty();
        assertThat(sent("PUT")).hasSize(1);
    }

    @Test
    @DisplayName("T2, T10, RETRY-5, RETRY-7: what every request carries")
    void dressesRequests() {
        runners.insert(Runner.of("race", 1));
        runners.find("race", Runner.of("race", 1).id());

        SentRequest insert = sent("POST").get(0);
        assertThat(insert.header("Prefer")).isEqualTo("return-no-content");
        assertThat(insert.target()).endsWith("?timeout=30");
        assertThat(insert.header("x-ms-client-request-id")).hasSize(36);
        assertThat(insert.header("User-Agent")).startsWith("stowline/");
        SentRequest find = sent("GET").get(0);
        assertThat(find.header("Accept")).isEqualTo("application/json;odata=minimalmetadata");
        assertThat(find.target()).contains("$select=PartitionKey%2CRowKey%2Cname%2Cage");
    }

    @Test
    @DisplayName("MAP-5: every page repeats the whole question, and one page is fetched ahead")
    void pagesOnTheWire() {
        fill(95);
        proxy.clear();

        assertThat(runners.query().partition("race").pageSize(10).list()).hasSize(95);

        List<SentRequest> pages = sent("GET");
        assertThat(pages).hasSize(10).allSatisfy(page -> assertThat(page.target())
                .contains("$filter=PartitionKey%20eq%20%27race%27")
                .contains("$top=10")
                .contains("$select="));
        assertThat(pages)
                .filteredOn(page -> page.target().contains("NextRowKey="))
                .hasSize(9);
    }

    @Test
    @DisplayName("MAP-5: whoever stops reading stops the requests")
    void stopsWithTheReader() {
        fill(95);
        proxy.clear();

        try (Stream<Runner> stream = runners.query().pageSize(10).stream()) {
            assertThat(stream.limit(15).toList()).hasSize(15);
        }
        assertThat(sent("GET")).hasSizeLessThanOrEqualTo(3);

        proxy.clear();
        assertThat(runners.reactive().query().pageSize(10).stream()
                        .take(15)
                        .collectList()
                        .block())
                .hasSize(15);
        assertThat(sent("GET")).hasSizeLessThanOrEqualTo(5);
    }

    @Test
    @DisplayName("MAP-5: with a limit no page is asked for that is not wanted")
    void fetchesNoPageBeyondTheLimit() {
        fill(95);
        proxy.clear();

        assertThat(runners.query().pageSize(10).limit(15).list()).hasSize(15);

        assertThat(sent("GET")).hasSize(2);
    }

    @Test
    @DisplayName("RETRY-2, RETRY-7: a busy server is asked again, under the same client request id")
    void retriesWhenThrottled() {
        FaultRule busy = proxy.when(entityRequests().nth(1))
                .respond(StubResponse.tableError(503, "ServerBusy", "The server is busy."));

        runners.insertOrReplace(Runner.of("race", 1));

        List<SentRequest> attempts = sent("PUT");
        assertThat(busy.hits()).as(busy.explain()).isEqualTo(1);
        assertThat(attempts).hasSize(2);
        assertThat(attempts.get(0).header("x-ms-client-request-id"))
                .isEqualTo(attempts.get(1).header("x-ms-client-request-id"));
    }

    @Test
    @DisplayName("RETRY-7: what fails for good says how often and why")
    void givesUpWithTheFacts() {
        proxy.when(entityRequests())
                .respond(StubResponse.error(
                                503, "ServerBusy", "Operations per second is over the account limit.\nRequestId:x")
                        .header("x-ms-request-id", "r-1"));

        assertThatExceptionOfType(ThrottledException.class)
                .isThrownBy(() -> runners.insertOrReplace(Runner.of("race", 1)))
                .withMessageContaining("over the account limit")
                .satisfies(e -> {
                    assertThat(e.failure().attempts()).isEqualTo(5);
                    assertThat(e.failure().errorCode()).isEqualTo("ServerBusy");
                    assertThat(e.failure().requestId()).isEqualTo("r-1");
                    assertThat(e.failure().operation()).isEqualTo("insertOrReplace");
                });
    }

    @Test
    @DisplayName("RETRY-2: a connection that breaks is tried again on another one")
    void survivesResets() {
        proxy.when(entityRequests().nth(1)).reset();
        FaultRule lost = proxy.when(entityRequests().nth(1)).loseResponse();

        runners.insertOrReplace(Runner.of("race", 1));

        assertThat(lost.hits()).as(lost.explain()).isEqualTo(1);
        assertThat(sent("PUT")).hasSize(3);
        assertThat(runners.find("race", Runner.of("race", 1).id())).isPresent();
    }

    @Test
    @DisplayName("BATCH-5: one culprit among 100 costs two more requests at the most")
    void isolatesCulpritsCheaply() {
        runners.insert(Runner.of("race", 42));
        proxy.clear();
        TableWriter<Runner> writer = runners.writer(w -> w.linger(Duration.ofSeconds(30)));
        List<?> handles = IntStream.range(0, 100)
                .mapToObj(i -> writer.insert(Runner.of("race", i)).toFuture())
                .toList();
        assertThat(writer.flush().failed()).isEqualTo(1);
        writer.close();

        assertThat(handles).hasSize(100);
        assertThat(sent("POST")).hasSize(2);
    }

    @Test
    @DisplayName("BATCH-3: exact sizes: large entities fill a batch up to the limit and not beyond")
    void packsByBytes() {
        Table<Entity> table = storage.table(runners.name());
        byte[] block = new byte[60_000];
        try (TableWriter<Entity> writer = table.writer(w -> w.linger(Duration.ofSeconds(30)))) {
            Flux.range(0, 60)
                    .map(i -> Entity.builder("big", "r" + i)
                            .set("a", block)
                            .set("b", block)
                            .set("c", block)
                            .build())
                    .toIterable()
                    .forEach(writer::insert);
        }

        List<SentRequest> batches = batches();
        assertThat(batches).hasSizeBetween(4, 5).allSatisfy(batch -> assertThat(batch.body())
                .hasSizeLessThanOrEqualTo(MAX_BATCH));
        assertThat(storage.table(runners.name()).query().select("x").list()).hasSize(60);
    }

    private void fill(int count) {
        try (TableWriter<Runner> writer = runners.writer(w -> w.linger(Duration.ofSeconds(30)))) {
            IntStream.range(0, count).mapToObj(i -> Runner.of("race", i)).forEach(writer::insert);
        }
    }
}
