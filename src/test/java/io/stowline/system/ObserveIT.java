package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.error.ConflictException;
import io.stowline.observe.MicrometerListener;
import io.stowline.observe.StowlineObservationContext;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.retry.Backoff;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.StubResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The observations of an application on a client at work. */
@Timeout(120)
class ObserveIT extends StorageTest {

    private final TestObservationRegistry observations = TestObservationRegistry.create();
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final List<String> reported = new CopyOnWriteArrayList<>();
    private Stowline client;
    private Table<Runner> runners;

    @BeforeEach
    void observe() {
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        observations.observationConfig().observationHandler(new Stopped(reported));
        String table = freshTable(Runner.class).name();
        client = Stowline.builder()
                .connectionString(connectionString())
                .retry(retry -> retry.backoff(Backoff.fixed(Duration.ofMillis(1))))
                .listener(MicrometerListener.of(observations, meters))
                .build();
        runners = client.table(table, Runner.class);
    }

    @AfterEach
    void metersLeave() {
        client.close();
        assertThat(meters.getMeters())
                .extracting(meter -> meter.getId().getName())
                .allMatch(name -> name.startsWith("stowline.operation"));
    }

    /** Writes down how operations end. */
    private record Stopped(List<String> reported)
            implements io.micrometer.observation.ObservationHandler<io.micrometer.observation.Observation.Context> {

        @Override
        public void onStop(io.micrometer.observation.Observation.Context context) {
            StowlineObservationContext operation = operation(context);
            reported.add(operation.operation().service() + " "
                    + operation.operation().name() + " "
                    + context.getLowCardinalityKeyValue("outcome").getValue() + " " + operation.attempts());
        }

        @Override
        public boolean supportsContext(io.micrometer.observation.Observation.Context context) {
            return operation(context) != null;
        }

        private static StowlineObservationContext operation(io.micrometer.observation.Observation.Context context) {
            return context instanceof StowlineObservationContext operation
                    ? operation
                    : context.get(StowlineObservationContext.class);
        }
    }

    @Test
    void bothFacesTellTheSame() {
        runners.insert(Runner.of("race", 1));
        runners.reactive().insert(Runner.of("race", 2)).block(Duration.ofSeconds(30));
        runners.find("race", "absent");
        runners.query().list();
        assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> runners.insert(Runner.of("race", 1)));

        assertThat(reported)
                .containsExactly(
                        "table insert success 1",
                        "table insert success 1",
                        "table find success 1",
                        "table query success 1",
                        "table insert failed 1");
        assertThat(meters.get("stowline.operation")
                        .tags("operation", "insert", "outcome", "success")
                        .timer()
                        .count())
                .isEqualTo(2);
    }

    @Test
    @DisplayName("QUEUE-4: a consumer shows its handlings as operations, and itself as meters")
    void showsConsumers() {
        MessageQueue<String> notes = client.queue("q" + UUID.randomUUID());
        notes.create();
        notes.send("note");
        try (QueueConsumer consumer = notes.consume(m -> {}).start()) {
            while (consumer.stats().completed() == 0) {
                ShortPause.park();
            }
            assertThat(meters.get("stowline.consumers.poll.age").gauge().value())
                    .isLessThan(60);
        }

        assertThat(reported).contains("queue handle success 0", "queue delete success 1");
        assertThat(meters.get("stowline.deliveries")
                        .tag("result", "completed")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(meters.get("stowline.consumers.handlers").gauge().value()).isZero();
        notes.drop();
    }

    @Test
    void aLostResponseIsOneOperationWithAllItsAttempts() {
        FaultRule lost = proxy().when(requests().times(1)).loseResponse();
        try {
            runners.insert(Runner.of("race", 1));
        } finally {
            lost.remove();
        }

        assertThat(reported).containsExactly("table insert recovered 3");
        assertThat(count("stowline.unanswered.attempts")).isEqualTo(1);
        assertThat(count("stowline.writes", "outcome", "recovered", "evidence", "content"))
                .isEqualTo(1);
        assertThat(count("stowline.retries")).isEqualTo(1);
    }

    @Test
    void throttlingIsCounted() {
        FaultRule busy =
                proxy().when(requests().times(2)).respond(StubResponse.error(503, "ServerBusy", "The server is busy."));
        try {
            runners.insert(Runner.of("race", 1));
        } finally {
            busy.remove();
        }

        assertThat(reported).containsExactly("table insert success 3");
        assertThat(count("stowline.attempts", "reason", "throttled-partition")).isEqualTo(2);
        assertThat(count("stowline.attempts", "reason", "success")).isEqualTo(1);
    }

    private double count(String meter, String... tags) {
        return meters.get(meter).tags("service", "table").tags(tags).counter().count();
    }

    private double gauge(String meter) {
        return meters.get(meter).tags("service", "table").gauge().value();
    }

    @Test
    @DisplayName("BATCH-15: what a crash can lose is a gauge")
    void aWritersTransactionsAndSinglesAreOperations() {
        try (TableWriter<Runner> writer = runners.writer(settings -> settings.linger(Duration.ofHours(1)))) {
            IntStream.range(0, 5).mapToObj(i -> Runner.of("many", i)).forEach(writer::insertOrReplace);
            writer.insertOrReplace(Runner.of("one", 1));
            assertThat(gauge("stowline.writers.items")).isEqualTo(6);
            assertThat(gauge("stowline.writers.bytes")).isEqualTo((double) writer.bufferedBytes());
        }
        assertThat(gauge("stowline.writers.items")).isZero();

        assertThat(reported)
                .containsExactlyInAnyOrder("table transaction success 1", "table insertOrReplace success 1");
    }

    @Test
    void anUploadInBlocksIsOneOperationAndSoIsADownload() {
        BlobContainer photos = client.container(freshName());
        photos.create();
        try {
            byte[] bytes = new byte[10_000];
            photos.upload(new ByteArrayInputStream(bytes), "a", upload -> upload.blockSize(4_000));
            photos.reactive()
                    .upload(new ByteArrayInputStream(bytes), "b", upload -> upload.blockSize(4_000))
                    .block(Duration.ofSeconds(30));
            photos.downloadTo("a", new ByteArrayOutputStream());
            assertThat(reported).hasSize(4).first().isEqualTo("blob create success 1");
            assertThat(reported.get(1)).startsWith("blob upload success ").isEqualTo(reported.get(2));
            assertThat(Integer.parseInt(reported.get(1).substring("blob upload success ".length())))
                    .isGreaterThan(3);
            assertThat(reported.get(3)).startsWith("blob downloadTo success ");
        } finally {
            photos.drop();
        }
    }

    @Test
    void messagesAreOperationsToo() {
        MessageQueue<String> queue = client.queue(freshName());
        queue.create();
        try {
            queue.send("hello");
            queue.receive(1, Duration.ofMinutes(1)).forEach(queue::delete);
        } finally {
            queue.drop();
        }

        assertThat(reported)
                .containsExactly(
                        "queue create success 1",
                        "queue send success 1",
                        "queue receive success 1",
                        "queue delete success 1",
                        "queue drop success 1");
    }
}
