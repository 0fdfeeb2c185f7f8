package io.stowline.spring.doors;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The application of the document about Spring Integration. */
@AzuriteTest
@Timeout(120)
class IntegrationDoorTest {

    @Test
    void takesOrdersAndSendsNoticesInUnderThirtyLines(Azurite azurite, @TempDir Path folder) throws Exception {
        DocumentedApplication.of("spring-integration.md", "notices.NoticesApplication")
                .with("spring.main.keep-alive=true")
                .run(azurite, folder, context -> {
                    Stowline client = context.getBean(Stowline.class);
                    MessageQueue<String> notices = client.queue("notices", String.class);
                    Optional<ReceivedMessage<String>> notice = notices.receive();
                    while (notice.isEmpty()) {
                        LockSupport.parkNanos(10_000_000);
                        notice = notices.receive();
                    }
                    assertThat(notice).map(ReceivedMessage::body).contains("2 of shirt");
                    RunningApplication.until(
                            "no order is left", () -> client.queue("orders").approximateCount() == 0);
                });
    }
}
