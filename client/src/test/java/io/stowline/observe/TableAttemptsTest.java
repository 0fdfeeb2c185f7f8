package io.stowline.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.stowline.caching.Freshness;
import io.stowline.error.ConflictException;
import io.stowline.error.TransactionFailedException;
import io.stowline.error.UnreachableException;
import io.stowline.observe.AttemptEvent.Condition;
import io.stowline.observe.AttemptRecorder.SeenAttempt;
import io.stowline.projection.Mapping;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.table.CachedTable;
import io.stowline.table.ScanPolicy;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.Transaction;
import io.stowline.table.internal.client.DefaultTable;
import io.stowline.table.internal.writer.MultipartText;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.request.OperationType;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the event of each attempt of a request to a table")
class TableAttemptsTest {

    private static final String ROW = "{\"race\":\"x\",\"PartitionKey\":\"berlin\",\"RowKey\":\"7\",\"age\":30}";
    private static final RetrySettings RETRY = RetrySettings.builder()
            .backoff(Backoff.fixed(Duration.ofMillis(1)))
            .retries(1)
            .build();

    record Runner(@PartitionKey String race, @RowKey String bib, int age) {}

    private final AttemptRecorder recorder = new AttemptRecorder();
    private final Bench bench = new Bench();
    private final FakeWire wire = bench.wire();
    private final ClientRuntime runtime =
            bench.connection(Bench.settings(1, RETRY).with(recorder).with((Executor) Runnable::run));
    private final Table<Runner> runners = DefaultTable.of(
            new TableService(Bench.account(), runtime, RETRY, ScanPolicy.ALLOW),
            "runners",
            Runner.class,
            Mapping.standard());

    @Test
    void insert() {
        wire.responds(204, "", "ETag", "W/\"1\"");
        runners.insert(new Runner("berlin", "7", 30));

        SeenAttempt seen = recorder.only();
        assertThat(seen)
                .isEqualTo(new SeenAttempt(
                        "acct",
                        "table",
                        "insert",
                        "insert",
                        "runners",
                        "berlin",
                        "7",
                        null,
                        true,
                        Condition.NONE,
                        "application/json;odata=nometadata",
                        1,
                        -1,
                        false,
                        wire.last().body().length(),
                        0,
                        1,
                        204,
                        null,
                        AttemptReason.SUCCESS,
                        false,
                        false,
                        "W/\"1\"",
                        0,
                        0,
                        0));
        assertThat(seen.bytesSent()).isPositive();
    }

    @Test
    @DisplayName(
            "a refused insert has the service's code; a merge on an ETag is conditional, one on any version is not")
    void refusalsAndConditions() {
        wire.responds(409, Bench.jsonError("EntityAlreadyExists", "text"));
        assertThatThrownBy(() -> runners.insert(new Runner("berlin", "7", 30))).isInstanceOf(ConflictException.class);
        wire.responds(204, "", "ETag", "W/\"2\"").responds(204, "", "ETag", "W/\"3\"");
        runners.replace(StoredEntity.of(new Runner("berlin", "7", 30), "W/\"1\""));
        runners.delete("berlin", "7");

        assertThat(recorder.seen())
                .extracting(
                        SeenAttempt::operation,
                        SeenAttempt::status,
                        SeenAttempt::errorCode,
                        SeenAttempt::reason,
                        SeenAttempt::condition)
                .containsExactly(
                        tuple("insert", 409, "EntityAlreadyExists", AttemptReason.REFUSED, Condition.NONE),
                        tuple("replace", 204, null, AttemptReason.SUCCESS, Condition.IF_MATCH),
                        tuple("delete", 204, null, AttemptReason.SUCCESS, Condition.NONE));
    }

    @Test
    @DisplayName("a transaction of 37 is one attempt that costs 37, on a partition and no row")
    void transaction() {
        wire.responds(202, MultipartText.success(37), "Content-Type", "multipart/mixed; boundary=batchresponse_1");
        Transaction<Runner> all = runners.transaction("berlin");
        for (int i = 0; i < 37; i++) {
            all = all.insert(new Runner("berlin", "" + i, 30));
        }
        all.commit();

        SeenAttempt seen = recorder.only();
        assertThat(seen.operation()).isEqualTo("transaction");
        assertThat(seen.container()).isEqualTo("runners");
        assertThat(seen.partition()).isEqualTo("berlin");
        assertThat(seen.row()).isNull();
        assertThat(seen.entities()).isEqualTo(37);
        assertThat(seen.returned()).isEqualTo(-1);
        assertThat(seen.status()).isEqualTo(202);
        assertThat(seen.bytesSent()).isEqualTo(wire.last().body().length());
        assertThat(seen.bytesReceived()).isEqualTo(MultipartText.success(37).length());
    }

    @Test
    @DisplayName("a refused transaction has the status and the code of the refusal inside")
    void refusedTransaction() {
        wire.responds(
                202,
                MultipartText.failure(409, "EntityAlreadyExists", "1:text"),
                "Content-Type",
                "multipart/mixed; boundary=batchresponse_1");
        assertThatThrownBy(() -> runners.transaction("berlin")
                        .insert(new Runner("berlin", "1", 1))
                        .insert(new Runner("berlin", "2", 1))
                        .commit())
                .isInstanceOf(TransactionFailedException.class);

        assertThat(recorder.only().status()).isEqualTo(409);
        assertThat(recorder.only().errorCode()).isEqualTo("EntityAlreadyExists");
        assertThat(recorder.only().reason()).isEqualTo(AttemptReason.REFUSED);
    }

    @Test
    @DisplayName("each page of a query has its rows, and the first its continuation")
    void query() {
        wire.responds(200, "{\"value\":[" + ROW + "," + ROW + "]}", "x-ms-continuation-NextPartitionKey", "n")
                .responds(200, "{\"value\":[]}");
        assertThat(runners.query().partition("berlin").list()).hasSize(2);

        assertThat(recorder.seen())
                .extracting(
                        SeenAttempt::operation,
                        SeenAttempt::partition,
                        SeenAttempt::row,
                        SeenAttempt::queryClass,
                        SeenAttempt::returned,
                        SeenAttempt::continued,
                        SeenAttempt::write)
                .containsExactly(
                        tuple("query", "berlin", null, "partition", 2, true, false),
                        tuple("query", "berlin", null, "partition", 0, false, false));
    }

    @Test
    @DisplayName("a find that finds has one row, one that does not none")
    void find() {
        wire.responds(200, ROW, "ETag", "W/\"1\"").responds(404, Bench.jsonError("ResourceNotFound", "text"));
        assertThat(runners.find("berlin", "7")).isPresent();
        assertThat(runners.find("berlin", "8")).isEmpty();

        assertThat(recorder.seen())
                .extracting(
                        SeenAttempt::operation,
                        SeenAttempt::row,
                        SeenAttempt::queryClass,
                        SeenAttempt::returned,
                        SeenAttempt::reason,
                        SeenAttempt::etag)
                .containsExactly(
                        tuple("find", "7", "point", 1, AttemptReason.SUCCESS, "W/\"1\""),
                        tuple("find", "8", "point", 0, AttemptReason.ABSENT, null));
        assertThat(recorder.seen().get(0).bytesReceived()).isEqualTo(ROW.length());
    }

    @Test
    @DisplayName("a cached read of a known version is conditional, and 304 is its success")
    void unchanged() {
        wire.responds(200, ROW, "ETag", "W/\"1\"").responds(304, "", "ETag", "W/\"1\"");
        CachedTable<Runner> cached = runners.cached(Freshness.revalidated());
        assertThat(cached.find("berlin", "7")).isNotNull();
        assertThat(cached.find("berlin", "7")).isNotNull();

        SeenAttempt seen = recorder.seen().get(1);
        assertThat(seen.condition()).isEqualTo(Condition.IF_NONE_MATCH);
        assertThat(seen.status()).isEqualTo(304);
        assertThat(seen.reason()).isEqualTo(AttemptReason.SUCCESS);
        assertThat(seen.returned()).isZero();
        assertThat(seen.etag()).isEqualTo("W/\"1\"");
    }

    @Test
    @DisplayName("the find that reads a write back has the write as its caller")
    void lostResponse() {
        wire.breaks(new IOException("reset"))
                .responds(409, Bench.jsonError("EntityAlreadyExists", "text"))
                .responds(404, Bench.jsonError("ResourceNotFound", "text"))
                .otherwise(404, Bench.jsonError("ResourceNotFound", "text"));
        bench.start(runners.reactive().insert(new Runner("berlin", "7", 30)));
        bench.pass(Duration.ofMinutes(10));

        assertThat(recorder.seen().subList(0, 3))
                .extracting(
                        SeenAttempt::operation,
                        SeenAttempt::caller,
                        SeenAttempt::number,
                        SeenAttempt::status,
                        SeenAttempt::reason,
                        SeenAttempt::ambiguous)
                .containsExactly(
                        tuple("insert", "insert", 1, 0, AttemptReason.CONNECTION, true),
                        tuple("insert", "insert", 2, 409, AttemptReason.REFUSED, false),
                        tuple("find", "insert", 1, 404, AttemptReason.ABSENT, false));
    }

    @Test
    @DisplayName("a throttled partition, and a connection that is refused")
    void failures() {
        wire.responds(503, Bench.jsonError("ServerBusy", "text"))
                .breaksBeforeWriting(new ConnectException("refused"))
                .breaksBeforeWriting(new ConnectException("refused"));
        var outcome = bench.start(runners.reactive().insert(new Runner("berlin", "7", 30)));
        bench.pass(Duration.ofMinutes(1));

        assertThat(outcome.error()).isInstanceOf(UnreachableException.class);
        assertThat(recorder.seen().subList(0, 2))
                .extracting(
                        SeenAttempt::number,
                        SeenAttempt::status,
                        SeenAttempt::errorCode,
                        SeenAttempt::reason,
                        SeenAttempt::ambiguous)
                .containsExactly(
                        tuple(1, 503, "ServerBusy", AttemptReason.THROTTLED_PARTITION, false),
                        tuple(2, 0, null, AttemptReason.CONNECTION, false));
        assertThat(recorder.seen().get(1).bytesSent()).isZero();
    }

    @Test
    @DisplayName("an attempt without a response in time ends by a timeout, and its write is ambiguous")
    void timeout() {
        wire.staysSilent().staysSilent();
        bench.start(runners.reactive().withRetry(retry -> retry.retries(0)).insert(new Runner("berlin", "1", 30)));
        bench.pass(RETRY.attemptTimeout());

        SeenAttempt seen = recorder.seen().get(0);
        assertThat(seen.reason()).isEqualTo(AttemptReason.TIMEOUT);
        assertThat(seen.ambiguous()).isTrue();
        assertThat(seen.status()).isZero();
        assertThat(seen.bytesSent()).isPositive();
        assertThat(seen.elapsedNanos()).isEqualTo(RETRY.attemptTimeout().toNanos());
    }

    @Test
    @DisplayName("the wait for a permit is apart from the time after it")
    void waitsForAPermit() {
        wire.respondsAfter(Duration.ofSeconds(2), 204, "", "ETag", "W/\"1\"")
                .respondsAfter(Duration.ofSeconds(3), 204, "", "ETag", "W/\"1\"");
        bench.start(runners.reactive().insert(new Runner("berlin", "1", 30)));
        bench.start(runners.reactive().insert(new Runner("berlin", "2", 30)));
        bench.pass(Duration.ofSeconds(5));

        assertThat(recorder.seen())
                .extracting(SeenAttempt::row, SeenAttempt::permitNanos, SeenAttempt::elapsedNanos)
                .containsExactly(tuple("1", 0L, nanos(2)), tuple("2", nanos(2), nanos(3)));
    }

    @Test
    @DisplayName("an attempt that gets no permit in time is held back, and was not sent")
    void heldBack() {
        wire.staysSilent().staysSilent();
        bench.start(runners.reactive().insert(new Runner("berlin", "1", 30)));
        var late = bench.start(runners.reactive()
                .withRetry(retry -> retry.deadline(Duration.ofSeconds(5)).retries(0))
                .insert(new Runner("berlin", "2", 30)));
        bench.pass(Duration.ofSeconds(5));

        assertThat(late.error()).isNotNull();
        assertThat(recorder.only().row()).isEqualTo("2");
        assertThat(recorder.only().reason()).isEqualTo(AttemptReason.HELD_BACK);
        assertThat(recorder.only().permitNanos()).isPositive();
        assertThat(recorder.only().elapsedNanos()).isZero();
        assertThat(recorder.only().bytesSent()).isZero();
    }

    @Test
    @DisplayName("a check of existence says so, and a listing of tables has its names")
    void ofTheAccount() {
        wire.responds(404, Bench.jsonError("ResourceNotFound", "text"));
        assertThat(runners.exists()).isFalse();
        SeenAttempt seen = recorder.only();

        assertThat(seen.existenceCheck()).isTrue();
        assertThat(seen.container()).isEqualTo("runners");
        assertThat(seen.partition()).isNull();
        assertThat(seen.reason()).isEqualTo(AttemptReason.ABSENT);
    }

    @Test
    @DisplayName("a listener that throws changes nothing")
    void throwing() {
        Bench throwing = new Bench(timer -> Bench.limits(1, timer), new StowlineListener() {
            @Override
            public void onAttemptEnd(AttemptEvent event) {
                throw new IllegalStateException("of the application");
            }
        });
        throwing.wire().responds(200, "a").responds(200, "b");

        assertThat(throwing.start(OperationType.WRITE).value()).isEqualTo("a");
        assertThat(throwing.start(OperationType.WRITE).value()).isEqualTo("b");
        assertThat(throwing.gate().inUse()).isZero();
    }

    @Test
    @DisplayName("an attempt that its caller cancels has no event")
    void cancelled() {
        wire.staysSilent();
        bench.start(runners.reactive().insert(new Runner("berlin", "1", 30))).cancel();
        bench.pass(Duration.ofMinutes(5));

        assertThat(recorder.seen()).isEmpty();
    }

    @Test
    @DisplayName("the service's clock is compared with this machine's, once a minute")
    void clockSkew() {
        Duration[] skew = new Duration[1];
        ServiceState[] state = new ServiceState[1];
        ClientRuntime observed = bench.connection(Bench.settings(1, RETRY).with(new StowlineListener() {
            @Override
            public void onServiceOpened(ServiceState opened) {
                state[0] = opened;
            }
        }));
        observed.use(Service.TABLE);
        assertThat(state[0].clockSkew()).isZero();
        wire.responds(200, "a", "Date", "Thu, 29 Feb 2024 12:05:00 GMT")
                .responds(200, "a", "Date", "Thu, 29 Feb 2024 13:00:00 GMT")
                .responds(200, "a", "Date", "Thu, 29 Feb 2024 11:59:00 GMT");
        for (int i = 0; i < 3; i++) {
            bench.start(observed.to(Service.TABLE).send(Bench.call(OperationType.READ)));
            skew[0] = state[0].clockSkew();
            if (i < 2) {
                assertThat(skew[0]).isEqualTo(Duration.ofMinutes(5));
            }
            bench.pass(Duration.ofSeconds(30));
        }
        assertThat(skew[0]).isEqualTo(Duration.ofMinutes(-2));
    }

    private static long nanos(int seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }
}
