package io.stowline.spring.doors;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.queue.PoisonQueue;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The application of the document about listeners. */
@AzuriteTest
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class ListenerDoorTest {

    @Test
    void repliesAndPoisonsInUnderThirtyLines(Azurite azurite, @TempDir Path folder, CapturedOutput output)
            throws Exception {
        DocumentedApplication.of("spring-listeners.md", "shop.ShopApplication").run(azurite, folder, context -> {
            PoisonQueue<String> poison =
                    context.getBean(Stowline.class).queue("orders").poison();
            RunningApplication.until(
                    "an invoice and a poison message",
                    () -> poison.count() > 0 && output.getOut().contains("sent Invoice"));
            assertThat(output).contains("sent Invoice[item=shirt, amount=40]");
            assertThat(poison.peek(2)).singleElement().satisfies(message -> assertThat(message.body())
                    .contains("shoes"));
        });
    }
}
