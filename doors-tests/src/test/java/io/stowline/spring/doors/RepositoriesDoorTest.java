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

/** The application of the document on repositories. */
@AzuriteTest
@ExtendWith(OutputCaptureExtension.class)
class RepositoriesDoorTest {

    @Test
    void findsByKeyByPartitionAndByIndex(Azurite azurite, @TempDir Path folder, CapturedOutput output)
            throws Exception {
        DocumentedApplication.of("spring-repositories.md", "race.RaceApplication")
                .run(azurite, folder, context -> {
                    assertThat(output)
                            .contains(
                                    "Runner[race=2026, bib=0001, name=Ann, age=41]",
                                    "[Runner[race=2026, bib=0002, name=Bea, age=29]] of 2");
                    assertThat(context.getBean(Stowline.class)
                                    .table("registrations")
                                    .query()
                                    .partition("2026")
                                    .rowPrefix("AGE:")
                                    .count())
                            .as("index rows")
                            .isEqualTo(2);
                });
    }
}
