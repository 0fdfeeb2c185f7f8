package io.stowline.table.internal.query;

import static io.stowline.projection.filter.Filter.partitionKey;
import static io.stowline.projection.filter.Filter.property;
import static io.stowline.projection.filter.Filter.rowKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.observe.QueryPageEvent;
import io.stowline.observe.StowlineListener;
import io.stowline.projection.Mapping;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.projection.filter.Filter;
import io.stowline.retry.Backoff;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.RetrySettings;
import io.stowline.table.ScanPolicy;
import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.write.TransactionWrite;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.ScalabilityTargets;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.client.ClientSettings;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The cost of queries below a target of one entity in a second, which the time shows until a point read passes. */
class ScansOnTheWireTest {

    record Runner(@PartitionKey String race, @RowKey String bib, int age) {}

    private static final int MORE = 1_000_000;
    private static final Duration STEP = Duration.ofMillis(100);
    private static final ScalabilityTargets ACCOUNT = ScalabilityTargets.everywhere().toBuilder()
            .accountEntities(1)
            .partitionEntities(MORE)
            .build();
    private static final ScalabilityTargets PARTITION = ScalabilityTargets.everywhere().toBuilder()
            .accountEntities(MORE)
            .partitionEntities(1)
            .build();

    /** A client below targets, over a scripted wire. */
    private static final class Below {

        private final Bench bench = new Bench();
        private final TableContext<Runner> table;
        private final StoragePipeline pipeline;
        private final List<QueryPageEvent> events = new ArrayList<>();
        private int pages;

        Below(ScalabilityTargets targets) {
            RetrySettings retry = RetrySettings.builder()
                    .backoff(Backoff.fixed(Duration.ofMillis(1)))
                    .deadline(Duration.ofHours(10))
                    .build();
            ClientSettings settings = ClientSettings.DEFAULT
                    .with(ClientSettings.ClientBounds.DEFAULT
                            .with(ParallelismSettings.fixed(1_000))
                            .with(targets))
                    .with(new StowlineListener() {
                        @Override
                        public void onQueryPage(QueryPageEvent event) {
                            events.add(event);
                            throw new IllegalStateException("of the application");
                        }
                    });
            ClientRuntime runtime = bench.connection(settings);
            pipeline = runtime.to(Service.TABLE);
            TableService service = new TableService(Bench.account(), runtime, retry, ScanPolicy.ALLOW);
            table = new TableContext<>(
                    service,
                    service.table("runners"),
                    TableContext.keyedCodec(Runner.class, Mapping.standard()),
                    Mapping.standard());
        }

        Outcome<Long> start(UnaryOperator<QueryPlan<Runner>> steps) {
            QueryPlan<Runner> plan = steps.apply(QueryPlan.of(table));
            return bench.start(plan.valuePages()
                    .doOnNext(page -> assertThat(plan.values(page)).isNotNull())
                    .count());
        }

        void run(UnaryOperator<QueryPlan<Runner>> steps) {
            until(start(steps));
        }

        private void until(Outcome<?> running) {
            for (int i = 0; i < 100_000 && !running.ended(); i++) {
                bench.pass(STEP);
            }
            assertThat(running.ended()).isTrue();
        }

        /** Returns the seconds until a point read passes: as many as entities were charged since the beginning. */
        double charged() {
            bench.wire().responds(404, "");
            until(bench.start(table.operations().find("p", "r", null, MetadataLevel.NONE)));
            return bench.wire().sent().get(bench.wire().sent().size() - 1).at().toMillis() / 1e3;
        }

        Below page(int rows, boolean more) {
            String[] next = more ? new String[] {"x-ms-continuation-NextPartitionKey", "n" + pages++} : new String[0];
            String row = "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"age\":1}";
            bench.wire().responds(200, "{\"value\":[" + String.join(",", Collections.nCopies(rows, row)) + "]}", next);
            return this;
        }
    }

    private static Arguments of(String name, int cost, UnaryOperator<QueryPlan<Runner>> steps, int... pages) {
        return Arguments.of(name, cost, steps, pages);
    }

    private static Stream<Arguments> ofOnePartition() {
        Filter old = property("age").atLeast(40);
        return Stream.of(
                of("a point", 1, query -> query.partition("p").where(rowKey().equalTo("r")), 1),
                of(
                        "a point with a filter",
                        1,
                        query ->
                                query.partition("p").where(rowKey().equalTo("r").and(old)),
                        0),
                of("a row range without a row", 1, query -> query.partition("p").rowPrefix("r"), 0),
                of("a row range", 3, query -> query.partition("p").rowRange("a", "b"), 3),
                of("a partition", 30, query -> query.partition("p"), 30),
                of("a partition in pages", 50, query -> query.partition("p"), 30, 20),
                of("pages without a row", 2, query -> query.partition("p"), 0, 0),
                of("small pages", 11, query -> query.partition("p").pageSize(5), 5, 5, 1),
                of("a limit", 2, query -> query.partition("p").limit(2), 2),
                of("a filter", 1_000, query -> query.partition("p").where(old), 5),
                of("a filter in pages", 2_000, query -> query.partition("p").where(old), 3, 0),
                of(
                        "a filter with a limit",
                        1_000,
                        query -> query.partition("p").where(old).limit(2),
                        2),
                of(
                        "a filtered row range",
                        1_000,
                        query -> query.partition("p").rowPrefix("r").where(old),
                        1),
                of("an inequality of keys", 1_000, query -> query.partition("p").where(rowKey().notEqualTo("r")), 1),
                of("text", 1_000, query -> query.partition("p").where(Filter.raw("RowKey eq 'r'")), 1),
                of("a full page", 1_000, query -> query.partition("p"), 1_000));
    }

    private static Stream<Arguments> ofSeveral() {
        return Stream.of(
                of("a table", 7, query -> query, 7),
                of("an empty table", 1, query -> query, 0),
                of("a table in pages", 1_007, query -> query, 1_000, 7),
                of(
                        "1,000 scanned and 5 returned",
                        1_000,
                        query -> query.where(property("age").equalTo(1)),
                        5),
                of("a table by row key", 1_000, query -> query.where(rowKey().equalTo("r")), 1),
                of(
                        "a range of partitions",
                        4,
                        query -> query.where(partitionKey().startsWith("p")),
                        4),
                of(
                        "rows of a range",
                        1_000,
                        query -> query.where(partitionKey().startsWith("p")).rowPrefix("r"),
                        4),
                of("one or another", 1_000, query -> query.where(partitionKey().in("a", "b")), 2),
                of("two partitions", 4, query -> query.divided(QueryPartitions.partitions(List.of("a", "b"))), 2, -2));
    }

    private static void responses(Below client, int[] pages) {
        for (int i = 0; i < pages.length; i++) {
            client.page(Math.abs(pages[i]), i + 1 < pages.length && pages[i + 1] >= 0);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"ofOnePartition", "ofSeveral"})
    @DisplayName("PERMIT-2, T1: a query uses up the target of the account by an estimate of the entities that it scans")
    void account(String name, int cost, UnaryOperator<QueryPlan<Runner>> steps, int[] pages) {
        Below client = new Below(ACCOUNT);
        responses(client, pages);
        client.run(steps);
        assertThat(client.charged()).isEqualTo(cost);
        assertThat(client.events.stream().mapToInt(QueryPageEvent::scanned).sum())
                .as("what the listener gets")
                .isEqualTo(cost);
        assertThat(client.events.stream().mapToInt(QueryPageEvent::returned).sum())
                .isEqualTo(IntStream.of(pages).map(Math::abs).sum());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ofOnePartition")
    @DisplayName("PERMIT-2, T1: a query of one partition uses up the target of this partition by the same estimate")
    void partition(String name, int cost, UnaryOperator<QueryPlan<Runner>> steps, int[] pages) {
        Below client = new Below(PARTITION);
        responses(client, pages);
        client.run(steps);
        assertThat(client.charged()).isEqualTo(cost);
    }

    @Test
    @DisplayName("PERMIT-2, T1: rows that the query skips were returned, and count")
    void skipped() {
        Below client = new Below(ACCOUNT);
        String row = "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"age\":\"old\"}";
        client.bench.wire().responds(200, "{\"value\":[" + row + "," + row + "," + row + "]}");
        List<Exception> unreadable = new ArrayList<>();
        client.run(query -> query.partition("p").skipUnreadable(unreadable::add));
        assertThat(unreadable).hasSize(3);
        assertThat(client.charged()).isEqualTo(3);
    }

    @Test
    @DisplayName("PERMIT-2, T1: the conditions of the library, such as those of an index, cost nothing")
    void ownConditions() {
        Below client = new Below(ACCOUNT);
        client.page(3, false);
        QueryPlan<Runner> lookup = QueryPlan.of(client.table.always(Filter.raw("Index eq 'email 1'")))
                .partition("p")
                .rowPrefix("email:");
        client.until(client.bench.start(lookup.valuePages()
                .doOnNext(page -> assertThat(lookup.values(page)).hasSize(3))
                .count()));
        assertThat(client.charged()).isEqualTo(3);
        assertThat(client.bench.wire().sent().get(0).url()).contains("Index%20eq%20");
    }

    @Test
    @DisplayName("PERMIT-3, T1: scans, transactions and reads ramp up together by what each costs")
    void mixedRamp() {
        Below client = new Below(ScalabilityTargets.everywhere().toBuilder()
                .rampOver(Duration.ofMinutes(1))
                .build());
        for (int i = 0; i < 1_000; i++) {
            client.bench.wire().staysSilent();
        }
        List<EncodedOperation> hundred = IntStream.range(0, 100)
                .mapToObj(i -> client.table
                        .operations()
                        .encoder()
                        .encode(EntityVerb.INSERT, new Runner("p", "r" + i, 1), client.table.codec(), null))
                .toList();
        for (int i = 0; i < 400; i++) {
            if (i % 4 == 0) {
                client.start(ScansOnTheWireTest::filtered);
            } else if (i % 4 == 1) {
                client.bench.start(
                        new TransactionWrite(client.table.operations(), client.pipeline, hundred, null, null).send());
            } else {
                client.bench.start(client.table.operations().find("p", "r", null, MetadataLevel.NONE));
            }
        }
        client.bench.pass(Duration.ofSeconds(30));

        double passed = 0;
        for (FakeWire.Sent sent : client.bench.wire().sent()) {
            passed += sent.url().contains("$batch") ? 100 : sent.url().contains("$filter") ? 1_000 : 1;
            double seconds = sent.at().toNanos() / 1e9;
            assertThat(passed).isLessThanOrEqualTo(2_000 * (0.1 * seconds + 0.45 * seconds * seconds / 60) + 1e-6);
        }
        assertThat(passed).as("19,500, less what the next scan waits for").isBetween(18_500.0, 19_500.0);
    }

    @Test
    @DisplayName("T8: the listener gets the density of each page: 5 of 1,000")
    void density() {
        Below client = new Below(ACCOUNT);
        client.page(5, false);
        client.run(ScansOnTheWireTest::filtered);
        assertThat(client.events).singleElement().satisfies(event -> {
            assertThat(event.account()).isEqualTo("acct");
            assertThat(event.table()).isEqualTo("runners");
            assertThat(event.queryClass()).isEqualTo("partition");
            assertThat(event.returned()).isEqualTo(5);
            assertThat(event.scanned()).isEqualTo(1_000);
            assertThat(event.density()).isEqualTo(0.005);
        });
    }

    @Test
    @DisplayName("T8: the listener gets the form of each query: its filter without values, and what it selects")
    void shape() {
        Below client = new Below(ACCOUNT);
        client.page(5, true);
        client.page(1, false);
        client.run(ScansOnTheWireTest::filtered);
        assertThat(client.events).hasSize(2).allSatisfy(event -> {
            assertThat(event.shape()).isEqualTo("PartitionKey eq ? and age eq ?");
            assertThat(event.selected()).isEqualTo(event.mapped()).isPositive();
            assertThat(event.bytes()).isPositive();
        });
        assertThat(client.events.stream().map(QueryPageEvent::continued)).containsExactly(true, false);
    }

    private static QueryPlan<Runner> filtered(QueryPlan<Runner> query) {
        return query.partition("p").where(property("age").equalTo(1));
    }

    /** One end of a query, and the entities that it costs. */
    private enum End {
        READ(1_000),
        REFUSED(1),
        BUSY(1_001),
        TIMED_OUT(2_000),
        LOST(2_000),
        CUT(1_000),
        CANCELLED_WHILE_IT_WAITS(0),
        CANCELLED_BEFORE_ITS_RESPONSE(1_000);

        private final int cost;

        End(int cost) {
            this.cost = cost;
        }

        void on(Below client) {
            var wire = client.bench.wire();
            switch (this) {
                case READ -> client.page(5, false);
                case REFUSED -> wire.responds(400, Bench.jsonError("InvalidInput", "text"));
                case BUSY -> wire.responds(503, Bench.jsonError("ServerBusy", "The server is busy."));
                case TIMED_OUT -> wire.responds(500, Bench.jsonError("OperationTimedOut", "text"));
                case LOST -> wire.breaks(new IOException("reset"));
                case CUT -> wire.breaksBeforeWriting(new IOException("refused"));
                case CANCELLED_WHILE_IT_WAITS ->
                    client.start(ScansOnTheWireTest::filtered).cancel();
                case CANCELLED_BEFORE_ITS_RESPONSE -> {
                    int before = wire.sent().size();
                    wire.staysSilent();
                    Outcome<Long> running = client.start(ScansOnTheWireTest::filtered);
                    while (wire.sent().size() == before) {
                        client.bench.pass(STEP);
                    }
                    running.cancel();
                }
            }
            if (this == BUSY || this == TIMED_OUT || this == LOST || this == CUT) {
                client.page(5, false);
            }
            if (!name().startsWith("CANCELLED")) {
                client.run(ScansOnTheWireTest::filtered);
            }
        }
    }

    @Property(tries = 40)
    @Label("PERMIT-4: the tokens of account and partition balance whatever the ends of queries: none is charged twice"
            + " or lost")
    void ledger(@ForAll long seed, @ForAll boolean ofThePartition) {
        Random random = new Random(seed);
        Below client = new Below(ofThePartition ? PARTITION : ACCOUNT);
        int cost = End.READ.cost;
        List<End> ends = new ArrayList<>(List.of(End.READ));
        End.READ.on(client);
        for (int i = 0; i < 6; i++) {
            End end = End.values()[random.nextInt(End.values().length)];
            end.on(client);
            ends.add(end);
            cost += end.cost;
        }
        assertThat(client.charged()).as("%s", ends).isBetween(cost - 0.001, cost + 0.15);
    }

    @Test
    @DisplayName(
            "PERMIT-4: a scan behind which there is no time ends at once, others in time, and the next call passes")
    void deadlines() {
        Below client = new Below(ACCOUNT);
        client.page(5, false);
        client.run(ScansOnTheWireTest::filtered);
        var hasty = client.table
                .operations()
                .with(RetrySettings.builder().deadline(Duration.ofMinutes(10)).build());
        Outcome<?> late = client.bench.start(hasty.find("p", "r", null, MetadataLevel.NONE));
        assertThat(late.ended()).as("999 s are more than 10 minutes").isTrue();
        assertThat(client.charged()).isEqualTo(1_000);
    }
}
