package io.stowline.spring.doors;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The application of the document about Spring Batch. */
@AzuriteTest
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class BatchDoorTest {

    @Test
    void groupsRunnersInUnderThirtyLines(Azurite azurite, @TempDir Path folder, CapturedOutput output)
            throws Exception {
        DocumentedApplication.of("spring-batch.md", "agegroups.AgeGroupsApplication")
                .with("spring.datasource.url=jdbc:h2:mem:jobs")
                .with("spring.sql.init.schema-locations=classpath:org/springframework/batch/core/schema-h2.sql")
                .run(azurite, folder, context -> assertThat(output)
                        .contains("COMPLETED", "Grouped[group=M40, bib=0001, name=Ann]"));
    }
}
