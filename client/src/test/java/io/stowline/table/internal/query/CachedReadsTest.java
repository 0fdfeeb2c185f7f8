package io.stowline.table.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.caching.CacheOutcome;
import io.stowline.caching.Freshness;
import io.stowline.error.DeadlineExceededException;
import io.stowline.error.NotFoundException;
import io.stowline.error.ProtocolException;
import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.Operations;
import io.stowline.table.internal.write.Entities;
import io.stowline.table.internal.write.TableOperations;
import io.stowline.table.internal.write.TransactionWrite;
import io.stowline.table.internal.writer.MultipartText;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.http.StorageResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CachedReadsTest {

    private static final String FIRST = "W/\"1\"";
    private static final String SECOND = "W/\"2\"";
    private static final Freshness WINDOW = Freshness.fresh(Duration.ofSeconds(30));

    private final Bench bench = new Bench();
    private final FakeWire wire = bench.wire();
    private final TableOperations operations = Operations.client(bench.pipeline());
    private final CachedReads finds = new CachedReads(bench.cache(), operations);

    private void stored(String text, String etag) {
        wire.responds(200, Entities.json("r0", text, "2024-02-29T11:00:00Z", null), "ETag", etag);
    }

    private Bench.Outcome<CachedReads.FoundEntity> start(Freshness freshness) {
        return bench.start(finds.find("p", "r0", Operations.CODEC, freshness));
    }

    private CachedReads.FoundEntity read(Freshness freshness) {
        Bench.Outcome<CachedReads.FoundEntity> read = start(freshness);
        bench.pass(Duration.ZERO);
        return read.value();
    }

    private static @Nullable String text(CachedReads.FoundEntity found) {
        StorageResponse response = found.response();
        return response == null
                ? null
                : RowDecoder.row(response, Operations.CODEC).value().text();
    }

    private void write(EncodedOperation operation) {
        Bench.Outcome<?> write = bench.start(operations.write(operation));
        bench.pass(Duration.ZERO);
        assertThat(write.ended()).isTrue();
    }

    private List<@Nullable String> conditions() {
        return wire.sent().stream().map(sent -> sent.header("If-None-Match")).toList();
    }

    @Test
    @DisplayName("A8: within its window an entity is not asked for again")
    void freshIsAHit() {
        stored("one", FIRST);

        assertThat(read(WINDOW).outcome()).isEqualTo(CacheOutcome.MISS);
        bench.pass(Duration.ofSeconds(29));
        CachedReads.FoundEntity again = read(WINDOW);

        assertThat(again.outcome()).isEqualTo(CacheOutcome.HIT);
        assertThat(text(again)).isEqualTo("one");
        assertThat(again.age()).isEqualTo(Duration.ofSeconds(29));
        assertThat(RowDecoder.row(again.response(), Operations.CODEC).etag()).isEqualTo(FIRST);
        assertThat(conditions()).containsExactly((String) null);
    }

    @Test
    @DisplayName("A8: a thousand reads in five minutes ask once in each window")
    void atMaxOneRequestInAWindow() {
        int reads = 1_000;
        int windows = 10;
        stored("one", FIRST);
        for (int i = 0; i < windows; i++) {
            wire.responds(304, "", "ETag", FIRST);
        }
        for (int i = 0; i < reads; i++) {
            assertThat(text(read(WINDOW))).isEqualTo("one");
            bench.pass(Duration.ofMinutes(5).dividedBy(reads));
        }

        assertThat(conditions())
                .hasSizeBetween(2, windows + 1)
                .filteredOn(FIRST::equals)
                .hasSizeLessThanOrEqualTo(windows);
    }

    @ParameterizedTest
    @DisplayName("CACHE-5: what is no entity, such as a gateway's page, fails its read, and the next one asks again")
    @ValueSource(strings = {"<html>Please log in</html>", "{\"PartitionKey\":\"p\",\"RowKey\":", "", "[]", "{}{}"})
    void aPageOfAGatewayIsNotKept(String page) {
        wire.responds(200, page, "ETag", "\"gateway\"");
        stored("one", FIRST);

        Bench.Outcome<CachedReads.FoundEntity> first = start(WINDOW);
        bench.pass(Duration.ZERO);
        assertThat(first.error()).isInstanceOf(ProtocolException.class);
        CachedReads.FoundEntity second = read(WINDOW);

        assertThat(text(second)).isEqualTo("one");
        assertThat(conditions()).containsExactly(null, null);
        assertThat(read(WINDOW).outcome()).isEqualTo(CacheOutcome.HIT);
    }

    @Test
    @DisplayName("CACHE-5: a gateway's page in place of a newer version leaves the version that was kept")
    void aPageDoesNotReplaceWhatIsKept() {
        stored("one", FIRST);
        read(WINDOW);
        bench.pass(Duration.ofSeconds(31));
        wire.responds(200, "<html>Please log in</html>", "ETag", "\"gateway\"");
        wire.responds(304, "", "ETag", FIRST);

        Bench.Outcome<CachedReads.FoundEntity> during = start(WINDOW);
        bench.pass(Duration.ZERO);
        assertThat(during.error()).isInstanceOf(ProtocolException.class);
        CachedReads.FoundEntity after = read(WINDOW);

        assertThat(after.outcome()).isEqualTo(CacheOutcome.REVALIDATED);
        assertThat(text(after)).isEqualTo("one");
        assertThat(conditions()).containsExactly(null, FIRST, FIRST);
    }

    @Test
    @DisplayName("CACHE-1: 304 is a hit")
    void unchangedIsRevalidated() {
        stored("one", FIRST);
        wire.responds(304, "", "ETag", FIRST);
        read(WINDOW);
        bench.pass(Duration.ofSeconds(31));

        CachedReads.FoundEntity again = read(WINDOW);
        assertThat(again.outcome()).isEqualTo(CacheOutcome.REVALIDATED);
        assertThat(text(again)).isEqualTo("one");
        assertThat(conditions()).containsExactly(null, FIRST);
    }

    @Test
    @DisplayName("CACHE-1: a service that knows no 304 for entities costs a transfer, and the version is the same")
    void theSameVersionIsRevalidated() {
        stored("one", FIRST);
        stored("one", FIRST);
        read(Freshness.revalidated());

        assertThat(read(Freshness.revalidated()).outcome()).isEqualTo(CacheOutcome.REVALIDATED);
    }

    @Test
    @DisplayName("CACHE-3: another version takes the place of what was there")
    void anotherVersionIsRefreshed() {
        stored("one", FIRST);
        stored("two", SECOND);
        read(Freshness.revalidated());

        CachedReads.FoundEntity again = read(Freshness.revalidated());
        assertThat(again.outcome()).isEqualTo(CacheOutcome.REFRESHED);
        assertThat(text(again)).isEqualTo("two");
    }

    @Test
    @DisplayName("CACHE-2: many readers of one entity are one request")
    void concurrentReadsAreOneRequest() {
        wire.respondsAfter(
                Duration.ofSeconds(1), 200, Entities.json("r0", "one", "2024-02-29T11:00:00Z", null), "ETag", FIRST);
        List<Bench.Outcome<CachedReads.FoundEntity>> reads = Arrays.asList(start(WINDOW), start(WINDOW), start(WINDOW));
        bench.pass(Duration.ofSeconds(1));

        assertThat(reads)
                .extracting(read -> read.value().outcome())
                .containsExactly(CacheOutcome.MISS, CacheOutcome.COLLAPSED, CacheOutcome.COLLAPSED);
        assertThat(wire.sent()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(EntityVerb.class)
    @DisplayName("CACHE-4: an own write makes the next read ask")
    void anOwnWriteInvalidates(EntityVerb verb) {
        stored("one", FIRST);
        wire.responds(204, "", "ETag", SECOND);
        stored("two", SECOND);
        read(WINDOW);
        write(Operations.operation(verb, "p", "r0", "two"));

        CachedReads.FoundEntity again = read(WINDOW);
        assertThat(text(again)).isEqualTo("two");
        assertThat(wire.sent()).hasSize(3);
    }

    @Test
    @DisplayName("CACHE-4: a write of another entity invalidates nothing else")
    void aWriteOfAnotherEntityLeavesIt() {
        stored("one", FIRST);
        wire.responds(204, "", "ETag", SECOND);
        read(WINDOW);
        write(Operations.insert("r1"));

        assertThat(read(WINDOW).outcome()).isEqualTo(CacheOutcome.HIT);
    }

    @Test
    @DisplayName("CACHE-4: a transaction invalidates each of its entities")
    void aTransactionInvalidates() {
        stored("one", FIRST);
        wire.responds(202, MultipartText.success(2), "Content-Type", "multipart/mixed; boundary=batchresponse_1");
        stored("two", SECOND);
        read(WINDOW);
        Bench.Outcome<?> write = bench.start(new TransactionWrite(
                        operations,
                        bench.pipeline(),
                        List.of(
                                Operations.insert("r1"),
                                Operations.operation(EntityVerb.INSERT_OR_REPLACE, "p", "r0", "two")),
                        null,
                        null)
                .send());
        bench.pass(Duration.ZERO);
        assertThat(write.ended()).isTrue();

        assertThat(text(read(WINDOW))).isEqualTo("two");
    }

    @Test
    @DisplayName("CACHE-4: while a lost write may yet take effect, nothing counts as fresh")
    void anAmbiguousWriteKeepsItFromBeingFresh() {
        stored("one", FIRST);
        read(WINDOW);
        wire.breaks(new IOException("reset")).responds(412, Bench.jsonError("UpdateConditionNotSatisfied", "text"));
        for (int i = 0; i < 4; i++) {
            stored("one", FIRST);
        }
        bench.start(operations.write(Operations.operation(EntityVerb.REPLACE, "p", "r0", "two", FIRST)));
        bench.pass(Duration.ofSeconds(4));

        assertThat(read(WINDOW).outcome()).isNotEqualTo(CacheOutcome.HIT);
        int before = wire.sent().size();
        stored("two", SECOND);
        assertThat(read(WINDOW).outcome()).isNotEqualTo(CacheOutcome.HIT);
        assertThat(wire.sent()).hasSizeGreaterThan(before);
    }

    @Test
    @DisplayName("CACHE-4: a lost write before the first cached read may take effect after it")
    void aLostWriteFromBeforeTheCacheKeepsItFromBeingFresh() {
        wire.staysSilentAfterItsLastByte();
        bench.start(operations.write(Operations.operation(EntityVerb.INSERT_OR_REPLACE, "p", "r0", "two")))
                .cancel();
        stored("one", FIRST);
        stored("two", SECOND);

        assertThat(text(read(WINDOW))).isEqualTo("one");
        assertThat(text(read(WINDOW))).isEqualTo("two");
    }

    @Test
    @DisplayName("CACHE-4: names of tables differ in more than their case")
    void aWriteThroughAnotherSpellingInvalidates() {
        stored("one", FIRST);
        wire.responds(204, "", "ETag", SECOND);
        stored("two", SECOND);
        read(WINDOW);
        TableOperations other = Operations.client("Notes", bench.pipeline());
        bench.start(other.write(other.encoder()
                .encode(EntityVerb.INSERT_OR_REPLACE, new Operations.Note("p", "r0", "two"), Operations.CODEC, null)));
        bench.pass(Duration.ZERO);

        assertThat(text(read(WINDOW))).isEqualTo("two");
    }

    @Test
    @DisplayName("CACHE-6: what is read with other headers is kept apart")
    void otherHeadersAreKeptApart() {
        stored("one", FIRST);
        stored("two", SECOND);
        CachedReads mine = new CachedReads(bench.cache(), operations.header("x-tenant", "a"));
        bench.start(mine.find("p", "r0", Operations.CODEC, WINDOW));
        bench.pass(Duration.ZERO);

        assertThat(text(read(WINDOW))).isEqualTo("two");
        assertThat(wire.sent()).hasSize(2);
    }

    @Test
    @DisplayName("CACHE-4: a table that is gone takes what was read of it along")
    void aTableThatIsGoneInvalidates() {
        stored("one", FIRST);
        wire.responds(204, "").responds(404, Bench.jsonError("TableNotFound", "text"));
        read(WINDOW);
        bench.start(operations.delete());
        bench.pass(Duration.ZERO);

        assertThat(start(WINDOW).storageError()).isInstanceOf(NotFoundException.class);
    }

    @Test
    @DisplayName("A8: that there is nothing is remembered only where that is asked for")
    void absenceIsRememberedOnRequest() {
        String missing = Bench.jsonError("ResourceNotFound", "text");
        wire.responds(404, missing).responds(404, missing);
        Freshness negative = WINDOW.negative(Duration.ofSeconds(5));

        assertThat(read(WINDOW).response()).isNull();
        assertThat(read(negative).outcome()).isEqualTo(CacheOutcome.MISS);
        CachedReads.FoundEntity again = read(negative);
        assertThat(again.response()).isNull();
        assertThat(again.outcome()).isEqualTo(CacheOutcome.HIT);
        assertThat(wire.sent()).hasSize(2);
    }

    @Test
    @DisplayName(
            "CACHE-3: a service that cannot be asked is no reason to fail, for a while and where that is asked for")
    void staleIfError() {
        stored("one", FIRST);
        read(WINDOW);
        bench.pass(Duration.ofSeconds(31));
        Function<Freshness, Bench.Outcome<CachedReads.FoundEntity>> whileDown = freshness -> {
            for (int i = 0; i < 5; i++) {
                wire.responds(503, Bench.jsonError("ServerBusy", "text"));
            }
            Bench.Outcome<CachedReads.FoundEntity> read = start(freshness);
            bench.pass(Duration.ofMinutes(2));
            return read;
        };

        CachedReads.FoundEntity stale =
                whileDown.apply(WINDOW.staleIfError(Duration.ofHours(1))).value();
        assertThat(stale.outcome()).isEqualTo(CacheOutcome.STALE);
        assertThat(text(stale)).isEqualTo("one");
        assertThat(whileDown.apply(WINDOW).storageError()).isNotNull();
    }

    @Test
    @DisplayName("CACHE-3: the old answer is given after the first failed attempt, and for 5 s without another one")
    void staleAfterTheFirstFailure() {
        Freshness patient = WINDOW.staleIfError(Duration.ofHours(1));
        stored("one", FIRST);
        read(WINDOW);
        bench.pass(Duration.ofSeconds(31));
        wire.responds(503, Bench.jsonError("ServerBusy", "text"));
        assertThat(read(patient).outcome()).isEqualTo(CacheOutcome.STALE);
        assertThat(wire.sent()).hasSize(2);
        bench.pass(Duration.ofMillis(4_999));
        assertThat(read(patient).outcome()).isEqualTo(CacheOutcome.STALE);
        assertThat(wire.sent()).hasSize(2);
        bench.pass(Duration.ofMillis(1));
        wire.responds(304, "", "ETag", FIRST);

        assertThat(read(patient).outcome()).isEqualTo(CacheOutcome.REVALIDATED);
        assertThat(wire.sent()).hasSize(3);
    }

    @Test
    @DisplayName("CACHE-2: a follower keeps its own deadline, and does not fail with the leader's shorter one")
    void everyReaderKeepsItsDeadline() {
        RetrySettings shorter = RetrySettings.builder()
                .retries(0)
                .attemptTimeout(Duration.ofSeconds(2))
                .deadline(Duration.ofSeconds(2))
                .build();
        CachedReads hasty = new CachedReads(bench.cache(), operations.with(shorter));
        wire.staysSilent();
        wire.staysSilent();
        Bench.Outcome<CachedReads.FoundEntity> hastyLeader =
                bench.start(hasty.find("p", "r0", Operations.CODEC, WINDOW));
        Bench.Outcome<CachedReads.FoundEntity> follower = start(WINDOW);
        bench.pass(Duration.ofSeconds(3));
        assertThat(hastyLeader.storageError()).isNotNull();
        assertThat(follower.ended()).isFalse();
        assertThat(wire.sent()).hasSize(2);
        Bench.Outcome<CachedReads.FoundEntity> hastyFollower =
                bench.start(hasty.find("p", "r0", Operations.CODEC, WINDOW));
        bench.pass(Duration.ofSeconds(3));

        assertThat(hastyFollower.storageError())
                .isInstanceOf(DeadlineExceededException.class)
                .hasMessageContaining("PT2S");
        assertThat(follower.ended()).isFalse();
        assertThat(wire.sent()).hasSize(2);
    }

    @Test
    @DisplayName("RETRY-10: nothing is ever filled from the secondary")
    void onlyThePrimaryIsRequested() {
        wire.responds(503, Bench.jsonError("ServerBusy", "text"));
        stored("one", FIRST);
        CachedReads copied = new CachedReads(bench.cache(), operations.with(ReadFrom.SECONDARY_AFTER_PRIMARY));
        bench.start(copied.find("p", "r0", Operations.CODEC, WINDOW));
        bench.pass(Duration.ofMinutes(1));

        assertThat(wire.sent()).hasSize(2).allSatisfy(sent -> assertThat(sent.url())
                .startsWith(Operations.ROOT));
    }
}
