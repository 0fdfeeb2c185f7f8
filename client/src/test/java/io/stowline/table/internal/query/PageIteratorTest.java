package io.stowline.table.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.BadRequestException;
import io.stowline.error.ProtocolException;
import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.request.Operations;
import io.stowline.table.internal.request.QueryClass;
import io.stowline.table.internal.request.QueryPage;
import io.stowline.table.internal.request.QuerySpec;
import io.stowline.table.internal.write.TableOperations;
import io.stowline.transport.ScalabilityTargets;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.request.PageFlux;
import io.stowline.transport.internal.request.PageTrail;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class PageIteratorTest {

    private static final String NEXT = "x-ms-continuation-NextPartitionKey";
    private static final QuerySpec SPEC =
            new QuerySpec("a eq 1", List.of("a"), MetadataLevel.NONE, 5, null, QueryClass.PARTITION, true, null, 0);

    private final Bench bench = new Bench();
    private final FakeWire wire = bench.wire();

    private PageIterator walk(boolean prefetch) {
        return new PageIterator(Operations.client(bench.pipeline()), SPEC, prefetch, false, Operations.endless());
    }

    private String text(PageIterator walk) {
        QueryPage page = bench.start(walk.next()).value();
        return page == null ? null : page.response().text();
    }

    @Test
    @DisplayName("MAP-5: follows continuations, over empty pages too, and repeats the query on each")
    void followsContinuations() {
        wire.responds(200, "one", NEXT, "").responds(200, "", NEXT, "p").responds(200, "three");
        PageIterator walk = walk(false);

        assertThat(text(walk)).isEqualTo("one");
        assertThat(text(walk)).isEmpty();
        assertThat(walk.ended()).isFalse();
        assertThat(text(walk)).isEqualTo("three");
        assertThat(walk.ended()).isTrue();
        assertThat(text(walk)).isNull();
        String query = Bench.ROOT + "/notes()?$filter=a%20eq%201&$select=a&$top=5";
        assertThat(wire.sent())
                .extracting(FakeWire.Sent::url)
                .containsExactly(
                        query + "&timeout=30",
                        query + "&NextPartitionKey=&timeout=30",
                        query + "&NextPartitionKey=p&timeout=30");
    }

    @Test
    @DisplayName("PERMIT-2: a query by keys counts the entities that it returned, and what comes next to its partition"
            + " pays for them")
    void costsWhatItReturned() {
        Bench slow = Bench.below(
                Service.TABLE,
                ScalabilityTargets.everywhere().toBuilder()
                        .accountEntities(1_000)
                        .partitionEntities(10)
                        .build());
        QuerySpec ofOne = new QuerySpec(
                "PartitionKey eq 'p'", null, MetadataLevel.NONE, null, "p", QueryClass.PARTITION, false, null, 0);
        String rows = "{\"value\":[" + "{\"PartitionKey\":\"p\",\"RowKey\":\"r\"},".repeat(29)
                + "{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}]}";
        slow.wire().responds(200, rows).otherwise(200, "{\"value\":[]}");
        TableOperations operations = Operations.client(slow.pipeline());

        QueryPage page = slow.start(operations.page(ofOne, PageTrail.start(Schedulers.parallel()), null))
                .value();
        assertThat(RowDecoder.rows(page, Operations.CODEC.reader())).hasSize(30);

        var next = slow.start(operations.page(ofOne, PageTrail.start(Schedulers.parallel()), null));
        var elsewhere = slow.start(operations.find("q", "r", null, MetadataLevel.NONE));
        assertThat(elsewhere.ended()).isTrue();
        slow.pass(Duration.ofMillis(2_090));
        assertThat(next.ended()).isFalse();
        slow.pass(Duration.ofMillis(20));
        assertThat(next.ended()).isTrue();
    }

    @Test
    @DisplayName("MAP-5: a page whose token is the one that it was asked for with ends the walk with a protocol error")
    void unchangedToken() {
        for (int i = 0; i < 8; i++) {
            wire.responds(200, "", NEXT, "p");
        }
        PageIterator walk = walk(false);
        text(walk);
        Outcome<QueryPage> second = bench.start(walk.next());
        bench.pass(Duration.ofMinutes(2));

        assertThat(second.storageError()).isInstanceOf(ProtocolException.class).hasMessageContaining("would never end");
        assertThat(wire.sent()).hasSizeLessThan(8);
    }

    @Test
    @DisplayName("MAP-5: tokens that come again after others end the walk with a protocol error")
    void tokensInACircle() {
        for (int i = 0; i < 200; i++) {
            wire.responds(200, "", NEXT, "p" + i % 7);
        }
        Outcome<Long> all = bench.start(PageFlux.of(() -> walk(true)).count());
        bench.pass(Duration.ofMinutes(2));

        assertThat(all.storageError()).isInstanceOf(ProtocolException.class).hasMessageContaining("had before");
        assertThat(wire.sent()).hasSizeLessThan(30);
    }

    @Test
    @DisplayName("MAP-5: with prefetch the next page is under way while the last one is read, and only one")
    void prefetches() {
        wire.responds(200, "one", NEXT, "p").responds(200, "two", NEXT, "q").responds(200, "three");
        PageIterator walk = walk(true);
        assertThat(wire.sent()).isEmpty();

        text(walk);
        assertThat(wire.sent()).hasSize(2);
        assertThat(text(walk)).isEqualTo("two");
        assertThat(wire.sent()).hasSize(3);
    }

    @Test
    void withoutPrefetchNothingIsSentUnasked() {
        wire.responds(200, "one", NEXT, "p");
        text(walk(false));

        assertThat(wire.sent()).hasSize(1);
    }

    @Test
    @DisplayName("MAP-5: cancelling cancels the page that was fetched ahead and sends nothing more")
    void cancelStopsRequests() {
        wire.responds(200, "one", NEXT, "p").staysSilent();
        PageIterator walk = walk(true);
        text(walk);
        walk.cancel();

        assertThat(wire.cancelled()).isEqualTo(1);
        assertThat(walk.ended()).isTrue();
        assertThat(text(walk)).isNull();
        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    void failureOfAPageIsReported() {
        wire.responds(400, Bench.jsonError("InvalidInput", "text"));

        assertThat(bench.start(walk(true).next()).error()).isInstanceOf(BadRequestException.class);
    }

    @Test
    @DisplayName("MAP-5: as a Flux it asks for a page only when one is wanted")
    void fluxIsLazy() {
        wire.responds(200, "one", NEXT, "p").responds(200, "two", NEXT, "q").responds(200, "three");

        StepVerifier.create(
                        PageFlux.of(() -> walk(false))
                                .map(page -> page.response().text()),
                        0)
                .then(() -> assertThat(wire.sent()).isEmpty())
                .thenRequest(1)
                .expectNext("one")
                .then(() -> assertThat(wire.sent()).hasSize(1))
                .thenRequest(2)
                .expectNext("two", "three")
                .verifyComplete();
    }

    @Test
    @DisplayName("MAP-5: cancelling the Flux stops the requests")
    void fluxCancel() {
        wire.responds(200, "one", NEXT, "p").staysSilent();

        StepVerifier.create(PageFlux.of(() -> walk(true))
                        .map(page -> page.response().text()))
                .expectNext("one")
                .thenCancel()
                .verify();
        bench.pass(Duration.ofMinutes(5));
        assertThat(wire.sent()).hasSize(2);
        assertThat(wire.cancelled()).isEqualTo(1);
    }

    @Test
    void fluxTellsAFailure() {
        wire.responds(200, "one", NEXT, "p").responds(400, Bench.jsonError("InvalidInput", "text"));

        StepVerifier.create(PageFlux.of(() -> walk(false)))
                .expectNextCount(1)
                .expectError(BadRequestException.class)
                .verify();
    }

    @Test
    void everySubscriberWalksAnew() {
        wire.responds(200, "one").responds(200, "again");
        var pages = PageFlux.of(() -> walk(true)).map(page -> page.response().text());

        StepVerifier.create(pages).expectNext("one").verifyComplete();
        StepVerifier.create(pages).expectNext("again").verifyComplete();
    }

    @Test
    @DisplayName("MAP-5: a thousand pages do not grow the stack")
    void manyPages() {
        for (int i = 0; i < 5_000; i++) {
            wire.responds(200, "page", NEXT, "p" + i);
        }
        wire.responds(200, "last");
        Outcome<Long> count = bench.start(PageFlux.of(() -> walk(true)).count());

        assertThat(count.value()).isEqualTo(5_001);
    }
}
