package io.stowline.table.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.NotFoundException;
import io.stowline.error.ThrottledException;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.codec.RowReader.DecodedRow;
import io.stowline.table.internal.query.PageIterator;
import io.stowline.table.internal.query.RowDecoder;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.Operations;
import io.stowline.table.internal.request.QueryClass;
import io.stowline.table.internal.request.QueryPage;
import io.stowline.table.internal.request.QuerySpec;
import io.stowline.table.internal.write.TableOperations;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.http.FakeWire;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TableSecondaryTest {

    private static final String NEXT = "x-ms-continuation-NextPartitionKey";
    private static final String BUSY = Bench.jsonError("ServerBusy", "text");
    private static final String STATS = "<LastSyncTime>Thu, 29 Feb 2024 11:55:00 GMT</LastSyncTime>";
    private static final ReadOrigin THERE = new ReadOrigin(true, Instant.parse("2024-02-29T11:55:00Z"));
    private static final QuerySpec SPEC =
            new QuerySpec("a eq 1", List.of("a"), MetadataLevel.FULL, 5, null, QueryClass.PARTITION, true, null, 0);

    private final Bench bench = new Bench();
    private final FakeWire wire = bench.wire();
    private final TableOperations operations = Operations.client(bench.pipeline())
            .with(ReadFrom.SECONDARY_AFTER_PRIMARY)
            .with(RetrySettings.builder()
                    .backoff(Backoff.fixed(Duration.ofSeconds(1)))
                    .build());

    private static String row(String rowKey) {
        return "{\"PartitionKey\":\"p\",\"RowKey\":\"" + rowKey + "\",\"text\":\"t\"}";
    }

    @Test
    @DisplayName("RETRY-10: an entity that the secondary gave says so")
    void findsThere() {
        wire.responds(503, BUSY).responds(200, STATS).responds(200, row("r"), "ETag", "W/\"1\"");

        var response =
                bench.start(operations.find("p", "r", null, MetadataLevel.NONE)).value();

        assertThat(response.origin()).isEqualTo(THERE);
        assertThat(RowDecoder.row(response, Operations.CODEC).origin()).isEqualTo(THERE);
        assertThat(RowDecoder.row(response, Operations.CODEC).etag()).isEqualTo("W/\"1\"");
    }

    @Test
    @DisplayName("RETRY-10: an entity that only the secondary does not have is not said to be missing")
    void doesNotBelieveThatItIsMissing() {
        TableOperations once = operations.with(RetrySettings.builder()
                .backoff(Backoff.fixed(Duration.ofSeconds(1)))
                .retries(1)
                .build());
        wire.responds(503, BUSY).responds(200, STATS).responds(404, Bench.jsonError("ResourceNotFound", "text"));
        Outcome<?> outcome = bench.start(once.find("p", "r", null, MetadataLevel.NONE));

        assertThat(outcome.storageError()).isInstanceOf(ThrottledException.class);
    }

    @Test
    @DisplayName("RETRY-10: the pages of a query stay where the first one came from, and each row says where that was")
    void pagesStay() {
        wire.responds(503, BUSY)
                .responds(200, STATS)
                .responds(200, "{\"value\":[" + row("1") + "]}", NEXT, "p")
                .responds(503, BUSY)
                .responds(200, "{\"value\":[" + row("2") + "]}");
        PageIterator walk = new PageIterator(operations, SPEC, false, true, Operations.endless());
        QueryPage first = bench.start(walk.next()).value();
        Outcome<QueryPage> second = bench.start(walk.next());
        bench.pass(Duration.ofSeconds(1));

        assertThat(wire.places()).containsExactly("primary", "stats", "secondary", "secondary", "secondary");
        assertThat(List.of(first, second.value()))
                .flatExtracting(page -> RowDecoder.rows(page, Operations.CODEC.reader()))
                .extracting(DecodedRow::origin)
                .containsExactly(THERE, THERE);
    }

    @Test
    @DisplayName("RETRY-10: a query that began at the primary does not go on at the secondary")
    void pagesStayAtThePrimary() {
        wire.responds(200, "{\"value\":[]}", NEXT, "p")
                .responds(503, BUSY)
                .responds(404, Bench.jsonError("TableNotFound", ""));
        PageIterator walk = new PageIterator(operations, SPEC, true, true, Operations.endless());
        assertThat(bench.start(walk.next()).value().response().origin()).isEqualTo(ReadOrigin.primary());
        Outcome<QueryPage> second = bench.start(walk.next());
        bench.pass(Duration.ofSeconds(1));

        assertThat(second.error()).isInstanceOf(NotFoundException.class);
        assertThat(wire.places()).containsOnly("primary");
    }

    @Test
    @DisplayName("RETRY-10: values, which cannot say where they came from, come from the primary; so do writes and the"
            + " table itself")
    void allElseStays() {
        wire.responds(503, BUSY).responds(200, "{\"value\":[]}");
        Outcome<QueryPage> values =
                bench.start(new PageIterator(operations, SPEC, false, false, Operations.endless()).next());
        bench.pass(Duration.ofSeconds(1));
        wire.responds(503, BUSY).responds(204, "", "ETag", "W/\"1\"");
        Outcome<?> write =
                bench.start(operations.write(Operations.operation(EntityVerb.INSERT_OR_REPLACE, "p", "r", "text")));
        bench.pass(Duration.ofSeconds(1));
        wire.responds(503, BUSY).responds(204, "");
        Outcome<Boolean> made = bench.start(operations.createIfMissing());
        bench.pass(Duration.ofSeconds(1));

        assertThat(values.value()).isNotNull();
        assertThat(write.value()).isNotNull();
        assertThat(made.value()).isTrue();
        assertThat(wire.places()).hasSize(6).containsOnly("primary");
    }

    @Test
    @DisplayName("RETRY-10: the reading back of a write looks at the primary only, however often it fails there")
    void readsBackAtThePrimary() {
        wire.breaks(new java.io.IOException("reset"))
                .responds(409, Bench.jsonError("EntityAlreadyExists", "text"))
                .responds(503, BUSY)
                .responds(200, row("r"), "ETag", "W/\"1\"");
        Outcome<?> write = bench.start(operations.write(Operations.insert("r")));
        bench.pass(Duration.ofSeconds(10));

        assertThat(write.ended()).isTrue();
        assertThat(wire.sent()).hasSizeGreaterThan(3);
        assertThat(wire.places()).containsOnly("primary");
    }
}
