package io.stowline.spring.doors;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The applications of the documents: each is compiled as it stands there, and run with the properties that stand there. */
@AzuriteTest
@ExtendWith(OutputCaptureExtension.class)
class DocumentedApplicationTest {

    @Test
    void storesQueuesAndCachesInUnderThirtyLines(Azurite azurite, @TempDir Path folder, CapturedOutput output)
            throws Exception {
        DocumentedApplication.of("spring-boot.md", "marathon.MarathonApplication")
                .run(azurite, folder, context -> {
                    assertThat(output).contains("Runner[race=2026, bib=0001, name=Ann, age=41]");
                    assertThat(context.getBean(Stowline.class).queue("orders").receive())
                            .hasValueSatisfying(
                                    message -> assertThat(message.body()).contains("shirt"));
                });
    }

    @Test
    void readsWritesAndFindsResourcesInUnderThirtyLines(Azurite azurite, @TempDir Path folder, CapturedOutput output)
            throws Exception {
        DocumentedApplication.of("spring-resources.md", "gallery.GalleryApplication")
                .run(azurite, folder, context -> {
                    assertThat(output).contains("azure-blob://texts/2026/title.txt: Spring run");
                    assertThat(context.getBean(Stowline.class)
                                    .container("texts")
                                    .info("2026/title.txt")
                                    .headers()
                                    .contentType())
                            .isEqualTo("text/plain");
                });
    }
}
