package io.stowline.table.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.DeadlineExceededException;
import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.request.Operations;
import io.stowline.table.internal.request.QueryClass;
import io.stowline.table.internal.request.QueryPage;
import io.stowline.table.internal.request.QuerySpec;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.request.PageFlux;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class QueryDeadlineTest {

    private static final String NEXT = "x-ms-continuation-NextPartitionKey";
    private static final String EMPTY = "{\"value\":[]}";
    private static final QuerySpec SPEC =
            new QuerySpec(null, List.of("a"), MetadataLevel.NONE, null, null, QueryClass.TABLE_SCAN, false, null, 0);

    private final Bench bench = new Bench();
    private final FakeWire wire = bench.wire();
    private final QueryDeadline deadline =
            new QueryDeadline("notes", Duration.ofSeconds(5), bench.pipeline().timer());

    private PageIterator walk(boolean prefetch) {
        return new PageIterator(Operations.client(bench.pipeline()), SPEC, prefetch, false, deadline);
    }

    /** Pages that come one a while after their requests, each with its own token. */
    private void pages(int count, Duration each) {
        for (int i = 0; i < count; i++) {
            wire.respondsAfter(each, 200, EMPTY, NEXT, "p" + i);
        }
    }

    @Test
    @DisplayName("MAP-5: empty pages whose tokens never end, end at the deadline of the query")
    void endlessPagesEnd() {
        pages(1_000, Duration.ofMillis(100));
        Outcome<Long> all = bench.start(PageFlux.of(() -> walk(true)).count());
        bench.pass(Duration.ofMillis(4_999));
        assertThat(all.ended()).isFalse();
        bench.pass(Duration.ofMillis(2));

        assertThat(all.error())
                .isInstanceOf(DeadlineExceededException.class)
                .hasMessageContaining("query notes")
                .hasMessageContaining("50 pages had come")
                .hasMessageContaining("deadline of PT5S")
                .hasMessageContaining("while pages were in flight, those fetched ahead included")
                .hasMessageContaining("elapsed 5000 ms");
        assertThat(wire.sent()).hasSize(50);
        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    @DisplayName("MAP-5: a deadline does not run while no page is in flight")
    void theReadersTimeIsItsOwn() {
        pages(1_000, Duration.ofSeconds(1));
        PageIterator walk = walk(true);
        for (int i = 0; i < 4; i++) {
            Outcome<QueryPage> page = bench.start(walk.next());
            bench.pass(Duration.ofHours(1));
            assertThat(page.value()).isNotNull();
        }
        Outcome<QueryPage> fifth = bench.start(walk.next());
        assertThat(fifth.value()).isNotNull();
        Outcome<QueryPage> sixth = bench.start(walk.next());

        assertThat(sixth.error()).isInstanceOf(DeadlineExceededException.class).hasMessageContaining("5 pages had");
        assertThat(wire.sent()).hasSize(5);
    }

    @Test
    @DisplayName("MAP-5: the page that is in flight at the deadline is cancelled")
    void cancelsThePageInFlight() {
        wire.staysSilent();
        Outcome<QueryPage> page = bench.start(walk(false).next());
        bench.pass(Duration.ofSeconds(5));

        assertThat(page.error()).isInstanceOf(DeadlineExceededException.class).hasMessageContaining("0 pages had");
        assertThat(wire.cancelled()).isEqualTo(1);
    }

    @Test
    @DisplayName("MAP-5: the parts of a query have one deadline, which counts the time of pages beside each other once")
    void partsShareIt() {
        pages(8, Duration.ofSeconds(2));
        PageIterator one = walk(false);
        PageIterator other = walk(false);
        for (int i = 0; i < 2; i++) {
            Outcome<QueryPage> first = bench.start(one.next());
            Outcome<QueryPage> second = bench.start(other.next());
            bench.pass(Duration.ofSeconds(2));
            assertThat(first.value()).isNotNull();
            assertThat(second.value()).isNotNull();
        }
        Outcome<QueryPage> first = bench.start(one.next());
        Outcome<QueryPage> second = bench.start(other.next());
        bench.pass(Duration.ofSeconds(1));

        assertThat(first.error()).isInstanceOf(DeadlineExceededException.class);
        assertThat(second.error()).isInstanceOf(DeadlineExceededException.class).hasMessageContaining("4 pages had");
    }
}
