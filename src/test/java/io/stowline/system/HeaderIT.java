package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.BlobContainer;
import io.stowline.queue.MessageQueue;
import io.stowline.table.Table;
import io.stowline.testkit.RecordedExchange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The service accepts what a view adds: the signature covers it. */
class HeaderIT extends StorageTest {

    private static final String NAME = "x-ms-tenant";

    @AfterEach
    void allRequestsOfTheViewCarriedIt() {
        proxy().awaitIdle(Duration.ofSeconds(20));
        assertThat(proxy().recorded())
                .map(RecordedExchange::request)
                .filteredOn(request -> request.header("traceparent") != null)
                .isNotEmpty()
                .allSatisfy(request -> assertThat(request.header(NAME)).isEqualTo("a b"));
    }

    @Test
    void tables() {
        Table<Runner> runners = freshTable(Runner.class);
        Table<Runner> view = runners.withHeader(NAME, "a b").withHeader("traceparent", "00-1");
        view.insert(Runner.of("race", 1));
        view.reactive().insert(Runner.of("race", 2)).block(Duration.ofSeconds(30));

        assertThat(view.query().list()).hasSize(2);
    }

    @Test
    void queues() {
        MessageQueue<String> view =
                storage.queue(freshName()).withHeader(NAME, "a b").withHeader("traceparent", "00-1");
        view.create();
        try {
            view.send("hello");
            assertThat(view.reactive().receive(1, Duration.ofMinutes(1)).block(Duration.ofSeconds(30)))
                    .hasSize(1);
        } finally {
            view.drop();
        }
    }

    @Test
    void blobs() {
        BlobContainer view =
                storage.container(freshName()).withHeader(NAME, "a b").withHeader("traceparent", "00-1");
        view.create();
        try {
            view.upload(new ByteArrayInputStream(new byte[9_000]), "a", upload -> upload.blockSize(4_000));
            ByteArrayOutputStream copy = new ByteArrayOutputStream();
            view.downloadTo("a", copy);
            assertThat(copy.size()).isEqualTo(9_000);
        } finally {
            view.drop();
        }
    }
}
