package io.stowline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.blob.BlobContainer;
import io.stowline.caching.Freshness;
import io.stowline.error.StorageInterruptedException;
import io.stowline.error.WaitInterruptedException;
import io.stowline.queue.MessageQueue;
import io.stowline.service.ServiceType;
import io.stowline.service.SoftDelete;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.ConnectException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/** Calls on a thread whose interrupt flag is set already, by both engines. */
@Timeout(60)
class InterruptedCallsTest {

    private static final byte[] BYTES = {1, 2, 3};

    private final AtomicInteger sent = new AtomicInteger();
    private final Stowline storage = Stowline.builder()
            .httpClient(request -> {
                sent.incrementAndGet();
                return Mono.error(new ConnectException("no network in this test"));
            })
            .retry(retry -> retry.retries(0))
            .closeTimeout(Duration.ofSeconds(5))
            .connectionString("DefaultEndpointsProtocol=https;AccountName=acct;AccountKey=a2V5")
            .build();

    @AfterEach
    void close() {
        Thread.interrupted();
        storage.close();
    }

    @FunctionalInterface
    private interface Verb {
        void call(Stowline storage) throws Exception;
    }

    private static Table<Entity> table(Stowline storage) {
        return storage.table("people");
    }

    private static MessageQueue<String> queue(Stowline storage) {
        return storage.queue("jobs", String.class);
    }

    private static BlobContainer container(Stowline storage) {
        return storage.container("files");
    }

    private static Entity entity() {
        return Entity.builder("p", "r").build();
    }

    private static void drained(Stream<?> all) {
        assertThat(all.toList()).isNotNull();
    }

    private static Arguments verb(String name, Verb verb) {
        return Arguments.of(name, verb);
    }

    static Stream<Arguments> verbs() {
        return Stream.of(
                verb("listTables", Stowline::listTables),
                verb("listQueues", Stowline::listQueues),
                verb("listContainers", Stowline::listContainers),
                verb("corsRules", s -> s.cors(ServiceType.BLOB).rules()),
                verb("setCorsRules", s -> s.cors(ServiceType.BLOB).clear()),
                verb("serviceInfo", s -> s.serviceProperties(ServiceType.QUEUE).info()),
                verb("setSoftDelete", s -> s.serviceProperties(ServiceType.BLOB).setSoftDelete(SoftDelete.off())),
                verb("create table", s -> table(s).create()),
                verb("createIfMissing table", s -> table(s).createIfMissing()),
                verb("drop table", s -> table(s).drop()),
                verb("insert", s -> table(s).insert(entity())),
                verb("claim", s -> table(s).claim(entity())),
                verb("insertOrMerge", s -> table(s).insertOrMerge(entity())),
                verb("insertOrReplace", s -> table(s).insertOrReplace(entity())),
                verb("merge", s -> table(s).merge("p", "r").set("a", 1).update()),
                verb("delete", s -> table(s).delete("p", "r")),
                verb("deleteIfExists", s -> table(s).deleteIfExists("p", "r")),
                verb("find", s -> table(s).find("p", "r")),
                verb("cached find", s -> table(s).cached(Freshness.fresh(Duration.ofSeconds(1)))
                        .find("p", "r")),
                verb("query", s -> drained(table(s).query().stream())),
                verb(
                        "transaction",
                        s -> table(s).transaction("p").insert(entity()).commit()),
                verb("writer", s -> {
                    try (TableWriter<Entity> writer = table(s).writer()) {
                        writer.insert(entity());
                    }
                }),
                verb("create queue", s -> queue(s).create()),
                verb("drop queue", s -> queue(s).drop()),
                verb("policies of a table", s -> table(s).policies().list()),
                verb("set a policy of a queue", s -> queue(s).policies().set("a", with -> with.canPeek())),
                verb(
                        "remove a policy of a container",
                        s -> container(s).policies().remove("a")),
                verb("send", s -> queue(s).send("text")),
                verb("receive", s -> queue(s).receive()),
                verb("peek", s -> queue(s).peek(1)),
                verb("clear", s -> queue(s).clear()),
                verb("info of a queue", s -> queue(s).info()),
                verb("create container", s -> container(s).create()),
                verb("upload bytes", s -> container(s).upload(BYTES, "b")),
                verb("upload stream", s -> container(s).upload(new ByteArrayInputStream(BYTES), "b")),
                verb("startCopy", s -> container(s).startCopy(container(s), "b", "c")),
                verb("copyFrom", s -> container(s).copyFrom(container(s), "b", "c")),
                verb("publish", s -> container(s)
                        .replicas(List.of(s.container("second")))
                        .publish("b")),
                verb("download of a copy", s -> container(s)
                        .replicas(List.of(s.container("second")))
                        .download("b")),
                verb("download", s -> container(s).download("b")),
                verb("downloadTo file", s -> container(s).downloadTo("b", Path.of("target", "never-made"))),
                verb("downloadTo stream", s -> container(s).downloadTo("b", new ByteArrayOutputStream())),
                verb("open", s -> container(s).open("b").read()),
                verb("info of a blob", s -> container(s).info("b")),
                verb("setMetadata", s -> container(s).setMetadata("b", Map.of())),
                verb("delete blob", s -> container(s).delete("b")),
                verb("list", s -> drained(container(s).stream())),
                verb("create append blob", s -> container(s).appendBlob("b").create()),
                verb("append", s -> container(s).appendBlob("b").append(BYTES)),
                verb("create page blob", s -> container(s).pageBlob("b").create(512)),
                verb("write pages", s -> container(s).pageBlob("b").write(0, new byte[512])),
                verb("clear pages", s -> container(s).pageBlob("b").clear(0, 512)),
                verb("resize", s -> container(s).pageBlob("b").resize(512)),
                verb("upload pages", s -> container(s).pageBlob("b").upload(Path.of("pom.xml"))),
                verb("ranges", s -> drained(container(s).pageBlob("b").ranges())),
                verb("page channel", s -> container(s).pageBlob("b").channel()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("verbs")
    @DisplayName("RETRY-8: a thread that is interrupted before the call sends nothing at all")
    void sendsNothing(String name, Verb verb) {
        Thread.currentThread().interrupt();

        Throwable thrown = catchThrowable(() -> verb.call(storage));

        assertThat(Thread.interrupted()).as("the flag after " + name).isTrue();
        assertThat(thrown).isInstanceOfAny(StorageInterruptedException.class, WaitInterruptedException.class);
        assertThat(sent).as("requests of " + name).hasValue(0);
    }
}
